import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { InstallWorld, shells } from "../support/install/install-world.ts";
import { hostTarget } from "../support/install/release-host.ts";

const installed = (world: InstallWorld): string => readFileSync(join(world.bin, "ai-runtime"), "utf8");

describe.skipIf(process.platform === "win32").each(shells)("install.sh under %s", (shell) => {
  test("leaves an empty home empty after install, upgrade, downgrade and uninstall", async () => {
    using world = new InstallWorld(shell);
    for (const version of ["1.0.0", "2.0.0"]) world.host.publish(version, world.host.standIn(version));
    for (const [version, options] of [
      ["1.0.0", ["--version", "1.0.0"]],
      ["2.0.0", []],
      ["1.0.0", ["--version=v1.0.0"]],
    ] as const) {
      expect(await world.pipe(...options)).toMatchObject({
        exitCode: 0,
        stdout: "",
        stderr: expect.stringContaining(`Installed ai-runtime ${version} in ${world.bin}.\n`),
      });
      expect(installed(world)).toBe(readFileSync(world.host.standIn(version), "utf8"));
      expect(readdirSync(world.bin).sort()).toEqual(["ai-runtime", "cclaude", "session-snapshot"]);
      expect(readFileSync(world.receipt, "utf8")).toContain(`version=${version}\n`);
      expect(existsSync(join(world.home, ".local/share/man/man1/ai-runtime.1"))).toBe(true);
    }
    expect(world.calls().filter((call) => !call.endsWith(" man"))).toEqual([
      "1.0.0 install",
      "2.0.0 install",
      "1.0.0 install",
    ]);
    const uninstall = await world.pipe("--uninstall");
    expect(uninstall).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Snapshots are kept in ") });
    expect(world.calls().slice(-1)).toEqual(["1.0.0 uninstall"]);
    rmSync(join(world.home, "calls"));
    expect(Object.values(world.tree()).join("")).toBe("");
    expect(Object.keys(world.tree()).filter((path) => path.includes("ai-runtime"))).toEqual([]);
  });

  test("adds a directory with spaces and quotes to PATH, and restores the start file byte for byte", async () => {
    using world = new InstallWorld(shell);
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    const directory = join(world.home, "my 'own' programs");
    const startfile = join(world.home, ".bashrc");
    writeFileSync(startfile, "alias ll='ls -l' # no line end");
    expect(await world.install("--dir", directory, "--modify-path")).toMatchObject({ exitCode: 0 });
    const found = await world.run(["bash", "-c", ". ~/.bashrc; command -v cclaude"]);
    expect(found.stdout).toBe(`${join(directory, "cclaude")}\n`);
    // A second install does not add the lines twice, and takes the directory from the receipt.
    expect(await world.install("--modify-path")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(startfile, "utf8").match(/>>> ai-runtime >>>/g)).toHaveLength(1);
    expect(existsSync(world.bin)).toBe(false);
    expect(await world.install("--uninstall")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(startfile, "utf8")).toBe("alias ll='ls -l' # no line end");
  });
});

describe.skipIf(process.platform === "win32")("install.sh", () => {
  test("prints what it would do and changes nothing with --dry-run", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    const { exitCode, stderr } = await world.pipe("--dry-run", "--modify-path");
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`would download ${world.host.url}/latest/download/ai-runtime-${hostTarget()}.tar.`);
    expect(stderr).toContain(`would install ai-runtime, cclaude and session-snapshot in ${world.bin}\n`);
    expect(stderr).toContain(`would edit ${world.home}/.bashrc\n`);
    expect(world.host.requests).toEqual([]);
    expect(world.tree()).toEqual({});
    await world.pipe();
    const before = world.tree();
    expect(await world.pipe("--uninstall", "--dry-run")).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`would remove ${world.receipt}\n`),
    });
    expect(world.tree()).toEqual(before);
  });

  test("prints nothing with --quiet when it succeeds", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    const silent = { exitCode: 0, stdout: "", stderr: "" };
    expect(await world.pipe("--quiet")).toEqual(silent);
    expect(await world.pipe("--uninstall", "--quiet")).toEqual(silent);
  });

  test("installs only the shims with --no-hooks, and remembers that for an upgrade", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe("--no-hooks");
    await world.pipe();
    expect(world.calls().filter((call) => call.includes("install"))).toEqual([
      "1.0.0 install --shims",
      "1.0.0 install --shims",
    ]);
  });

  test("documents every option in --help, and downloads nothing", async () => {
    using world = new InstallWorld();
    const { exitCode, stdout, stderr } = await world.pipe("--help");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const script = readFileSync(join(world.root, "install.sh"), "utf8");
    const parsed = script.slice(script.indexOf("read_options()"), script.indexOf("set_value()"));
    const options = new Set([...parsed.matchAll(/(--[a-z-]+)/g)].map(([, option]) => option ?? ""));
    expect(options.size).toBeGreaterThan(9);
    for (const option of options) expect(stdout).toContain(`  ${option} `);
    expect(world.tree()).toEqual({});
  });

  test("warns about unfinished runs at uninstall, and keeps their records", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    const warning = "! some runs are not finished; their work is kept";
    expect((await world.pipe("--uninstall", "--dry-run")).stderr).not.toContain(warning);
    mkdirSync(join(world.receipt, "../runs/active"), { recursive: true });
    const run = join(world.receipt, "../runs/active/20261117-090000-aaaa.json");
    writeFileSync(run, "{}");
    for (const options of [["--dry-run"], []]) {
      const { exitCode, stderr } = await world.pipe("--uninstall", ...options);
      expect(exitCode).toBe(0);
      expect(stderr).toContain(warning);
    }
    expect(existsSync(run)).toBe(true);
  });

  test("refuses to uninstall while a service uses the executable", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    mkdirSync(join(world.receipt, "../services"));
    writeFileSync(join(world.receipt, "../services/bot.json"), "{}");
    const before = world.tree();
    const { exitCode, stderr } = await world.pipe("--uninstall");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "services/bot.json\nNothing was changed.\nRemove the service first: ai-runtime service uninstall, or give --stop.\n",
    );
    expect(world.tree()).toEqual(before);
  });

  test.each(["--stop", "--keep-running"])("passes %s on to ai-runtime uninstall", async (option) => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    expect((await world.pipe("--uninstall", option)).exitCode).toBe(0);
    expect(world.calls()).toContain(`1.0.0 uninstall ${option}`);
    expect(await world.pipe(option)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${option} needs --uninstall`),
    });
  });

  test("asks nothing without a terminal: snapshots stay unless --purge is given", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    await world.pipe("--uninstall");
    expect(world.calls()).not.toContain("1.0.0 session-snapshot clean --all --yes");
    await world.pipe();
    await world.pipe("--uninstall", "--purge");
    expect(world.calls()).toContain("1.0.0 session-snapshot clean --all --yes");
  });

  test("warns about a directory that is not on PATH, and about programs that hide the new ones", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    expect((await world.pipe()).stderr).toContain(
      `${world.bin} is not on your PATH. Add this line to ${world.home}/.bashrc:\n  export PATH='${world.bin}':"$PATH"\n`,
    );
    expect(existsSync(join(world.home, ".bashrc"))).toBe(false);
    const other = join(world.home, "other");
    mkdirSync(other);
    writeFileSync(join(other, "cclaude"), "#!/bin/sh\n", { mode: 0o755 });
    world.env["PATH"] = `${other}:${world.bin}:/usr/bin:/bin`;
    const { stderr } = await world.pipe();
    expect(stderr).toContain(`! ${other}/cclaude comes first on your PATH and hides ${world.bin}/cclaude\n`);
    expect(stderr).not.toContain("is not on your PATH");
  });

  test.each([
    ["/bin/zsh", ".zshrc", "zsh"],
    ["/usr/bin/fish", ".config/fish/conf.d/ai-runtime.fish", "fish"],
    ["/bin/ksh", ".profile", "bash"],
  ])("for %s edits %s and keeps a symbolic link", async (shell, startfile, dialect) => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    world.env["SHELL"] = shell;
    const path = join(world.home, startfile);
    mkdirSync(join(path, ".."), { recursive: true });
    mkdirSync(join(world.home, "dotfiles"));
    writeFileSync(join(world.home, "dotfiles/mine"), "# mine\n", { mode: 0o640 });
    symlinkSync(join(world.home, "dotfiles/mine"), path);
    const before = world.tree();
    await world.pipe("--modify-path", "--claude-function");
    expect(readFileSync(path, "utf8")).toContain(`ai-runtime' shell-function ${dialect} 2>/dev/null`);
    await world.pipe("--uninstall");
    rmSync(join(world.home, "calls"));
    expect(world.tree()).toMatchObject(before);
    expect(readFileSync(path, "utf8")).toBe("# mine\n");
  });

  test.each([
    ["a shell under Rosetta", { uname: ["Darwin", "x86_64"], sysctl: "1" }, "darwin-arm64"],
    ["an Intel Mac", { uname: ["Darwin", "x86_64"], sysctl: "0" }, "darwin-x64"],
    ["Alpine", { uname: ["Linux", "aarch64"], ldd: "musl libc (aarch64)" }, "linux-arm64-musl"],
    ["Debian", { uname: ["Linux", "x86_64"], ldd: "ldd (Debian GLIBC 2.36)" }, "linux-x64"],
  ] as const)("detects %s", async (_name, machine, target) => {
    using world = new InstallWorld();
    const stubs = join(world.root, "stubs");
    mkdirSync(stubs);
    const stub = (name: string, body: string): void => {
      writeFileSync(join(stubs, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    };
    stub("uname", `[ "$1" = -s ] && echo ${machine.uname[0]} || echo ${machine.uname[1]}`);
    stub("sysctl", `echo ${"sysctl" in machine ? machine.sysctl : ""}`);
    stub("ldd", `echo "${"ldd" in machine ? machine.ldd : ""}" >&2`);
    world.env["PATH"] = `${stubs}:/usr/bin:/bin`;
    expect((await world.pipe("--dry-run")).stderr).toContain(`/ai-runtime-${target}.tar.`);
  });

  test("signs an executable with an invalid signature again on macOS", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"), "darwin-x64");
    const stubs = join(world.root, "stubs");
    mkdirSync(stubs);
    writeFileSync(join(stubs, "uname"), '#!/bin/sh\n[ "$1" = -s ] && echo Darwin || echo x86_64\n');
    writeFileSync(join(stubs, "codesign"), '#!/bin/sh\necho "codesign $1" >>"$HOME/calls"\n[ "$1" != --verify ]\n');
    for (const name of ["uname", "codesign"]) chmodSync(join(stubs, name), 0o755);
    world.env["PATH"] = `${stubs}:/usr/bin:/bin`;
    expect(await world.pipe()).toMatchObject({ exitCode: 0 });
    expect(world.calls().slice(0, 2)).toEqual(["codesign --verify", "codesign --force"]);
  });
});

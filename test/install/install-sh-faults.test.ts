import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InstallWorld, shells } from "../support/install-world.ts";

setDefaultTimeout(120_000);

const isArchive = (path: string): boolean => path.includes(".tar.");
const isRoot = process.getuid?.() === 0;

/** What install.sh needs of a system, without what would download or compute checksums. */
const leastTools =
  "awk basename cat chmod cp cut dirname getconf grep gzip ldd mkdir mv rm rmdir sed sh tar uname xz".split(" ");

/** Makes the PATH one directory with these tools and the given ones. */
function onlyTools(world: InstallWorld, ...more: string[]): void {
  const tools = join(world.root, "tools");
  mkdirSync(tools);
  for (const name of [...leastTools, ...more]) {
    const path = Bun.which(name, { PATH: "/usr/bin:/bin" });
    if (path !== null) symlinkSync(path, join(tools, name));
  }
  world.env["PATH"] = tools;
}

interface Trouble {
  readonly arrange: (world: InstallWorld) => void;
  readonly options?: readonly string[];
  readonly says: string;
}

const troubles: Record<string, Trouble> = {
  "a wrong checksum": {
    arrange: ({ host }) => {
      host.fault = (path, file) => (isArchive(path) ? new Uint8Array([...file, 0]) : undefined);
    },
    says: ".xz is wrong: ",
  },
  "a truncated archive": {
    arrange: ({ host }) => {
      host.fault = (path, file) => (isArchive(path) ? file.slice(0, file.length / 2) : undefined);
    },
    says: ".xz is wrong: ",
  },
  "a truncated archive whose checksum is right": {
    arrange: ({ host }) => {
      let sent = new Uint8Array();
      host.fault = (path, file) => {
        if (isArchive(path)) return (sent = file.slice(0, file.length / 2));
        const name = /ai-runtime-\S+\.tar\.xz/.exec(new TextDecoder().decode(file))?.[0];
        return new TextEncoder().encode(`${new Bun.CryptoHasher("sha256").update(sent).digest("hex")}  ${name}\n`);
      };
    },
    says: "cannot unpack ai-runtime-",
  },
  "no archive (404)": {
    arrange: ({ host }) => {
      host.fault = (path) => (isArchive(path) ? "missing" : undefined);
    },
    says: "cannot download http://127.0.0.1",
  },
  "a version that was never released": {
    arrange: () => {},
    options: ["--version", "9.9.9"],
    says: "/download/v9.9.9/",
  },
  "no checksums (404)": {
    arrange: ({ host }) => {
      host.fault = (path) => (isArchive(path) ? undefined : "missing");
    },
    says: "Nothing is installed without its checksum.",
  },
  "checksums that do not name the archive": {
    arrange: ({ host }) => {
      host.fault = (path) => (isArchive(path) ? undefined : new TextEncoder().encode(`${"0".repeat(64)}  other\n`));
    },
    says: "has no checksum for ai-runtime-",
  },
  "no host at all": {
    arrange: (world) => {
      world.env["AI_RUNTIME_BASE_URL"] = "http://127.0.0.1:1/releases";
    },
    says: "cannot download http://127.0.0.1:1/",
  },
  "an address that is not https": {
    arrange: (world) => {
      world.env["AI_RUNTIME_BASE_URL"] = "http://example.invalid/releases";
    },
    says: "is not an https address",
  },
  "no curl and no wget": { arrange: (world) => onlyTools(world, "sha256sum"), says: "neither curl nor wget" },
  "nothing that computes checksums": {
    arrange: (world) => onlyTools(world, "curl"),
    says: "no sha256sum, shasum or openssl",
  },
  "a new executable that does not start": {
    arrange: ({ root, host }) => {
      writeFileSync(join(root, "broken"), "#!/bin/sh\necho 'no such instruction' >&2\nexit 132\n");
      host.publish("3.0.0", join(root, "broken"));
    },
    says: "no such instruction\ninstall.sh: the new ai-runtime does not start on this machine",
  },
  "a system with musl, and without the libraries that it needs": {
    arrange: (world) => {
      const { root, host, env } = world;
      writeFileSync(
        join(root, "broken"),
        "#!/bin/sh\nfor n in 1 2 3 4; do echo symbol $n not found >&2; done\nexit 127\n",
      );
      host.publish("3.0.0", join(root, "broken"), `linux-${process.arch}-musl`);
      mkdirSync(join(root, "stubs"));
      writeFileSync(join(root, "stubs/ldd"), "#!/bin/sh\necho 'musl libc' >&2\n", { mode: 0o755 });
      writeFileSync(
        join(root, "stubs/uname"),
        `#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo ${process.arch === "arm64" ? "aarch64" : "x86_64"}\n`,
        { mode: 0o755 },
      );
      env["PATH"] = `${root}/stubs:${env["PATH"]}`;
    },
    says: `symbol 3 not found\ninstall.sh: the new ai-runtime does not start on this machine (linux-${process.arch}-musl)\nNothing was changed.\nIt needs the C++ library; on Alpine: apk add libgcc libstdc++\n`,
  },
  "a new executable that is another version": {
    arrange: ({ host }) => host.publish("3.0.0", host.standIn("2.5.0")),
    options: ["--version", "3.0.0"],
    says: "the new ai-runtime is version 2.5.0, not 3.0.0",
  },
  "a directory that cannot be written": {
    arrange: (world) => {
      // Even root may not make directories in /sys.
      const directory = isRoot ? "/sys" : join(world.root, "read-only");
      if (!isRoot) mkdirSync(directory, { mode: 0o500 });
      world.env["AI_RUNTIME_INSTALL_DIR"] = directory;
    },
    says: "cannot write to ",
  },
  "a directory that cannot be made": {
    arrange: (world) => {
      writeFileSync(join(world.root, "a-file"), "");
      world.env["AI_RUNTIME_INSTALL_DIR"] = join(world.root, "a-file/bin");
    },
    says: "cannot make the directory ",
  },
};

describe.skipIf(process.platform === "win32")("a clear message, and nothing changed:", () => {
  for (const [name, { arrange, options = [], says }] of Object.entries(troubles)) {
    test.each(["at the first install", "at an upgrade"])(`${name}, %s`, async (when) => {
      using world = new InstallWorld();
      world.host.publish("1.0.0", world.host.standIn("1.0.0"));
      if (when === "at an upgrade") await world.pipe();
      world.host.publish("2.0.0", world.host.standIn("2.0.0"));
      const before = world.tree();
      arrange(world);
      const { exitCode, stderr } = await world.pipe(...options);
      expect(stderr).toContain(says);
      expect(stderr).toContain("\nNothing was changed.\n");
      expect(exitCode).toBe(1);
      expect(world.tree()).toEqual(before);
    });
  }

  test.each([
    ["--nonsense", "unknown option --nonsense"],
    ["--version", "--version needs a value"],
    ["--version=1;2", '"1;2" is no version'],
    ["--purge", "--purge goes with --uninstall only"],
  ])("%s", async (option, says) => {
    using world = new InstallWorld();
    expect(await world.pipe(option)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says) });
    expect(world.tree()).toEqual({});
  });

  test.each([[], ["--quiet"]])("a checkout that cannot be built %p", async (...options) => {
    using world = new InstallWorld();
    delete world.env["AI_RUNTIME_BASE_URL"];
    onlyTools(world);
    const install = join(import.meta.dir, "../../install.sh");
    const without = await world.run(["/bin/sh", install, ...options]);
    expect(without).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("building needs Node and npm, or Bun"),
    });
    expect(world.tree()).toEqual({});
    writeFileSync(join(world.root, "tools/bun"), "#!/bin/sh\necho no network >&2\nexit 1\n", { mode: 0o755 });
    const failing = await world.run(["/bin/sh", install, ...options]);
    expect(failing.stderr).toContain("no network\ninstall.sh: the build failed, see above\nNothing was changed.\n");
    expect(world.tree()).toEqual({});
  });

  const canMount = Bun.spawnSync(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).exitCode === 0;
  test.skipIf(!canMount)("no space left", async () => {
    using world = new InstallWorld();
    const large = join(world.root, "large");
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64");
    writeFileSync(large, `#!/bin/sh\n# ${noise}\necho "ai-runtime 1.0.0"\n`);
    world.host.publish("1.0.0", large);
    mkdirSync(world.bin, { recursive: true });
    const mounted = `mount -t tmpfs -o size=16k tmpfs ${world.bin} && echo old >${world.bin}/ai-runtime && sh`;
    const check = `code=$?; ls -A ${world.bin}; cat ${world.bin}/ai-runtime; exit $code`;
    const { exitCode, stdout, stderr } = await world.run([
      "unshare",
      "-rm",
      "sh",
      "-c",
      `${mounted} ${world.root}/install.sh; ${check}`,
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "ai-runtime\nold\n" });
    expect(stderr).toContain(`the space left in ${world.bin}`);
  });
});

describe.skipIf(process.platform === "win32")("what may be missing", () => {
  test.each([
    ["curl, but there is wget", ["wget", "sha256sum"]],
    ["curl and xz", ["wget", "sha256sum", "-xz"]],
    ["sha256sum, but there is shasum", ["curl", "shasum", "perl"]],
    ["sha256sum and shasum, but there is openssl", ["curl", "openssl"]],
  ])("%s: it installs all the same", async (_missing, tools) => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    onlyTools(world, ...tools.filter((name) => name !== "-xz"));
    const without = tools.includes("-xz");
    if (without) {
      writeFileSync(join(world.root, "tools/xz.none"), "");
      Bun.spawnSync(["rm", join(world.root, "tools/xz")]);
    }
    expect(await world.pipe()).toMatchObject({ exitCode: 0 });
    expect(world.host.requests[0]).toEndWith(without ? ".tar.gz" : ".tar.xz");
  });

  test.skipIf(Bun.which("busybox") === null)("everything but busybox: all of it works, as on Alpine", async () => {
    using world = new InstallWorld("busybox sh");
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    const applets = join(world.root, "applets");
    mkdirSync(applets);
    Bun.spawnSync(["busybox", "--install", "-s", applets]);
    world.env["PATH"] = applets;
    Bun.spawnSync(["ln", "-sf", Bun.which("busybox") ?? "", join(applets, "busybox")]);
    const startfile = join(world.home, ".bashrc");
    writeFileSync(startfile, "# mine\n");
    const install = await world.pipe("--modify-path");
    expect(install).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Installed ai-runtime 1.0.0") });
    expect(await world.pipe("--uninstall")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(startfile, "utf8")).toBe("# mine\n");
    world.host.fault = (path, file) => (isArchive(path) ? file.slice(0, file.length / 2) : undefined);
    expect(await world.pipe()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(" is wrong: ") });
  });

  test("the executable, at an uninstall: what is left is removed and the rest is said", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    Bun.spawnSync(["rm", join(world.bin, "ai-runtime")]);
    const { exitCode, stderr } = await world.pipe("--uninstall");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("settings.json may still call it");
    expect(await world.pipe("--uninstall")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("nothing to uninstall: there is no receipt"),
    });
  });

  test("hooks that cannot be registered: it is installed, the rest is said, exit code 3", async () => {
    using world = new InstallWorld();
    const path = join(world.root, "half");
    writeFileSync(path, '#!/bin/sh\n[ "$1" != install ] || exit 1\necho "ai-runtime 1.0.0"\n');
    world.host.publish("1.0.0", path);
    const { exitCode, stderr } = await world.pipe();
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`run ${world.bin}/ai-runtime install\n`);
    expect(readFileSync(world.receipt, "utf8")).toContain("version=1.0.0\n");
  });
});

describe.skipIf(process.platform === "win32")("a script cut short in the download does nothing", () => {
  const script = readFileSync(join(import.meta.dir, "../../install.sh"));
  const text = script.toString("latin1");
  const opening = text.indexOf("\n{\n");

  /** Whatever would be called is noted, so that nothing can happen unseen. */
  function effectOf(shell: string, bytes: Uint8Array, stubs: string): string {
    const child = Bun.spawnSync(shell.split(" "), {
      env: { PATH: stubs, HOME: stubs },
      stdin: bytes,
      stderr: "ignore",
    });
    const called = existsSync(join(stubs, "calls")) ? "a program was called" : "";
    return `${child.stdout.toString()}${called}${child.exitCode === 0 && bytes.length > opening + 1 ? "exit code 0" : ""}`;
  }

  test("it is ASCII, and one group from its first brace to its last", () => {
    expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(text.slice(0, opening)).toMatch(/^(#.*\n)*#.*$/);
    expect(text).toEndWith('\nmain "$0" "$@"; }\n');
  });

  const near = (at: number): number[] => [at - 1, at, at + 1];
  const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const cuts = new Set([
    ...Array.from({ length: opening + 200 }, (_, at) => at),
    ...Array.from({ length: 300 }, (_, at) => script.length - 302 + at),
    ...lineEnds.flatMap(near),
    ...Array.from({ length: Math.floor(script.length / 11) }, (_, at) => at * 11),
  ]);
  // Without the very last byte, the line end, it is whole.
  const lengths = [...cuts].filter((length) => length >= 0 && length < script.length - 1).sort((a, b) => a - b);

  test.each(shells)("under %s", (shell) => {
    using world = new InstallWorld();
    const stubs = join(world.root, "stubs");
    mkdirSync(stubs);
    for (const name of [...leastTools, "main", "m", "ma", "mai", "u", "us", "curl"]) {
      writeFileSync(join(stubs, name), `#!/bin/sh\necho called >>${stubs}/calls\n`);
      chmodSync(join(stubs, name), 0o755);
    }
    const absolute = [Bun.which(shell.split(" ")[0] ?? "") ?? shell, ...shell.split(" ").slice(1)].join(" ");
    // sh is the one that people pipe into; for the others the places that matter most.
    const tried =
      shell === "sh" ? lengths : lengths.filter((length) => length > script.length - 60 || length % 40 === 0);
    const effects = tried.map((length) => [length, effectOf(absolute, script.subarray(0, length), stubs)]);
    expect(effects.filter(([, effect]) => effect !== "")).toEqual([]);
    expect(effects.length).toBeGreaterThan(100);
    expect(effectOf(absolute, script, stubs)).not.toBe("");
  });
});

test.skipIf(Bun.which("shellcheck") === null)("shellcheck finds nothing in install.sh and the shims", () => {
  const root = join(import.meta.dir, "../..");
  const files = ["install.sh", "shims/cclaude", "shims/session-snapshot", "plugin/hooks/ai-runtime-hook"];
  const child = Bun.spawnSync(["shellcheck", ...files], { cwd: root });
  expect(child.stdout.toString()).toBe("");
  expect(child.exitCode).toBe(0);
});

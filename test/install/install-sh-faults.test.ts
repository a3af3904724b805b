import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requiredTools, InstallWorld } from "../support/install/install-world.ts";

const isArchive = (path: string): boolean => path.includes(".tar.");
const isRoot = process.getuid?.() === 0;

/** Restricts PATH to the required tools and the given ones. */
function onlyTools(world: InstallWorld, ...more: string[]): void {
  const tools = join(world.root, "tools");
  mkdirSync(tools);
  for (const name of [...requiredTools, ...more]) {
    const path = Bun.which(name, { PATH: "/usr/bin:/bin" });
    if (path !== null) symlinkSync(path, join(tools, name));
  }
  world.env["PATH"] = tools;
}

interface FailureCase {
  readonly arrange: (world: InstallWorld) => void;
  readonly options?: readonly string[];
  readonly message: string;
}

const failureCases: Record<string, FailureCase> = {
  "a wrong checksum": {
    arrange: ({ host }) => {
      host.fault = (path, file) => (isArchive(path) ? new Uint8Array([...file, 0]) : undefined);
    },
    message: "wrong checksum of ",
  },
  "a truncated archive": {
    arrange: ({ host }) => {
      host.fault = (path, file) => (isArchive(path) ? file.slice(0, file.length / 2) : undefined);
    },
    message: "wrong checksum of ",
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
    message: "cannot unpack ai-runtime-",
  },
  "no archive (404)": {
    arrange: ({ host }) => {
      host.fault = (path) => (isArchive(path) ? "missing" : undefined);
    },
    message: "cannot download http://127.0.0.1",
  },
  "a version that was never released": {
    arrange: () => {},
    options: ["--version", "9.9.9"],
    message: "/download/v9.9.9/",
  },
  "no checksums (404)": {
    arrange: ({ host }) => {
      host.fault = (path) => (isArchive(path) ? undefined : "missing");
    },
    message: "install.sh needs the checksum.",
  },
  "checksums that do not name the archive": {
    arrange: ({ host }) => {
      host.fault = (path) => (isArchive(path) ? undefined : new TextEncoder().encode(`${"0".repeat(64)}  other\n`));
    },
    message: "has no checksum for ai-runtime-",
  },
  "no reachable host": {
    arrange: (world) => {
      world.env["AI_RUNTIME_BASE_URL"] = "http://127.0.0.1:1/releases";
    },
    message: "cannot download http://127.0.0.1:1/",
  },
  "a URL that is not https": {
    arrange: (world) => {
      world.env["AI_RUNTIME_BASE_URL"] = "http://example.invalid/releases";
    },
    message: "is not an https URL",
  },
  "no curl and no wget": { arrange: (world) => onlyTools(world, "sha256sum"), message: "neither curl nor wget" },
  "no tool for checksums": {
    arrange: (world) => onlyTools(world, "curl"),
    message: "sha256sum, shasum and openssl are missing",
  },
  "a new executable that does not start": {
    arrange: ({ root, host }) => {
      writeFileSync(join(root, "broken"), "#!/bin/sh\necho 'no such instruction' >&2\nexit 132\n");
      host.publish("3.0.0", join(root, "broken"));
    },
    message: "no such instruction\ninstall.sh: the new ai-runtime does not start on this machine",
  },
  "a musl system without the required libraries": {
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
    message: `symbol 3 not found\ninstall.sh: the new ai-runtime does not start on this machine (linux-${process.arch}-musl)\nNothing was changed.\nIt needs the C++ library; on Alpine: apk add libgcc libstdc++\n`,
  },
  "a new executable of another version": {
    arrange: ({ host }) => host.publish("3.0.0", host.standIn("2.5.0")),
    options: ["--version", "3.0.0"],
    message: "the new ai-runtime is version 2.5.0, not 3.0.0",
  },
  "a directory that is not writable": {
    arrange: (world) => {
      // Even root cannot create directories in /sys.
      const directory = isRoot ? "/sys" : join(world.root, "read-only");
      if (!isRoot) mkdirSync(directory, { mode: 0o500 });
      world.env["AI_RUNTIME_INSTALL_DIR"] = directory;
    },
    message: "cannot write to ",
  },
  "a directory that cannot be created": {
    arrange: (world) => {
      writeFileSync(join(world.root, "a-file"), "");
      world.env["AI_RUNTIME_INSTALL_DIR"] = join(world.root, "a-file/bin");
    },
    message: "cannot make the directory ",
  },
};

describe.skipIf(process.platform === "win32")("install.sh fails with a clear message and changes nothing:", () => {
  for (const [name, { arrange, options = [], message }] of Object.entries(failureCases)) {
    test.each(["at the first install", "at an upgrade"])(`${name}, %s`, async (when) => {
      using world = new InstallWorld();
      world.host.publish("1.0.0", world.host.standIn("1.0.0"));
      if (when === "at an upgrade") await world.pipe();
      world.host.publish("2.0.0", world.host.standIn("2.0.0"));
      const before = world.tree();
      arrange(world);
      const { exitCode, stderr } = await world.pipe(...options);
      expect(stderr).toContain(message);
      expect(stderr).toContain("\nNothing was changed.\n");
      expect(exitCode).toBe(1);
      expect(world.tree()).toEqual(before);
    });
  }

  test.each([
    ["--nonsense", "unknown option --nonsense"],
    ["--version", "--version needs a value"],
    ["--version=1;2", '"1;2" is not a version'],
    ["--purge", "--purge needs --uninstall"],
  ])("%s", async (option, message) => {
    using world = new InstallWorld();
    expect(await world.pipe(option)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
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

describe.skipIf(process.platform === "win32")("install.sh without", () => {
  test.each([
    ["curl, but with wget,", ["wget", "sha256sum"]],
    ["curl and xz", ["wget", "sha256sum", "-xz"]],
    ["sha256sum, but with shasum,", ["curl", "shasum", "perl"]],
    ["sha256sum and shasum, but with openssl,", ["curl", "openssl"]],
  ])("%s still installs", async (_missing, tools) => {
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

  test.skipIf(Bun.which("busybox") === null)("any tools but busybox works, as on Alpine", async () => {
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
    expect(await world.pipe()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("wrong checksum of ") });
  });

  test("the executable still uninstalls the rest and reports what it could not do", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    Bun.spawnSync(["rm", join(world.bin, "ai-runtime")]);
    const { exitCode, stderr } = await world.pipe("--uninstall");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("settings.json may still call it");
    expect(await world.pipe("--uninstall")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("nothing to uninstall: the receipt "),
    });
  });

  test("a working hook registration still installs, reports it and exits with 3", async () => {
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

test.skipIf(Bun.which("shellcheck") === null)("shellcheck finds nothing in install.sh and the shims", () => {
  const root = join(import.meta.dir, "../..");
  const files = ["install.sh", "shims/cclaude", "shims/session-snapshot", "plugin/hooks/ai-runtime-hook"];
  const child = Bun.spawnSync(["shellcheck", ...files], { cwd: root });
  expect(child.stdout.toString()).toBe("");
  expect(child.exitCode).toBe(0);
});

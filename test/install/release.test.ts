import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { pack } from "../../scripts/release/pack.ts";
import { releasesOf, stampInstaller, stampPage } from "../../scripts/release/stamp.ts";
import { sourceVersion } from "../../scripts/source-version.ts";
import { executable } from "../support/executable.ts";
import { InstallWorld } from "../support/install/install-world.ts";
import { hostTarget } from "../support/install/release-host.ts";
import { powershellErrors } from "../support/install/powershell-syntax.ts";

const root = join(import.meta.dir, "../..");
const license = join(root, "LICENSE");
const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

class Scratch implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "pack-"));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const hasGnuTar = Bun.spawnSync(["tar", "--version"]).stdout.toString().includes("GNU");

describe.skipIf(!hasGnuTar)("archives", () => {
  test("for Linux and macOS are reproducible xz and gzip files with the executable and the license", () => {
    using scratch = new Scratch();
    const program = join(scratch.path, "program");
    writeFileSync(program, "#!/bin/sh\necho hello\n");
    const packed = (): string[] => {
      const names = pack(program, "ai-runtime-linux-x64", license, scratch.path);
      expect(names).toEqual(["ai-runtime-linux-x64.tar.xz", "ai-runtime-linux-x64.tar.gz"]);
      return names.map((name) => sha256(readFileSync(join(scratch.path, name))));
    };
    expect(packed()).toEqual(packed());
    if (Bun.which("busybox") !== null) {
      const command = `busybox xz -dc ai-runtime-linux-x64.tar.xz | busybox tar -xOf - ai-runtime`;
      const child = Bun.spawnSync(["sh", "-c", command], { cwd: scratch.path });
      expect(child.stdout.toString()).toBe("#!/bin/sh\necho hello\n");
    }
    for (const suffix of ["xz", "gz"]) {
      const list = Bun.spawnSync(["tar", "-tvf", join(scratch.path, `ai-runtime-linux-x64.tar.${suffix}`)]);
      expect(list.stdout.toString()).toMatch(/^-rwxr-xr-x 0\/0 .* ai-runtime\n-rw-r--r-- 0\/0 .* LICENSE\n$/);
    }
  });

  test("for Windows are zip files that an independent reader opens", () => {
    using scratch = new Scratch();
    const program = join(scratch.path, "program.exe");
    const content = Buffer.from("MZ ".repeat(10_000));
    writeFileSync(program, content);
    expect(pack(program, "ai-runtime-windows-x64", license, scratch.path)).toEqual(["ai-runtime-windows-x64.zip"]);
    const path = join(scratch.path, "ai-runtime-windows-x64.zip");
    if (Bun.which("python3") !== null) {
      const read = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
sys.stdout.write(",".join(z.namelist()) + " " + str(len(z.read("ai-runtime.exe"))))`;
      const child = Bun.spawnSync(["python3", "-c", read, path]);
      expect(child.stderr.toString() + child.stdout.toString()).toBe(`ai-runtime.exe,LICENSE ${content.length}`);
    }
    const zip = readFileSync(path);
    const start = 30 + "ai-runtime.exe".length;
    expect(inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(18)))).toEqual(content);
  });
});

describe("installers of a release", () => {
  const stamp = { version: "9.8.7", url: "https://example.invalid/releases", checksums: `${"0".repeat(64)}  a\n` };

  test("contain its version, URL and checksums, and are still valid scripts", async () => {
    const sh = stampInstaller(readFileSync(join(root, "install.sh"), "utf8"), stamp);
    expect(sh).toContain("\nrelease_version='9.8.7'\nrelease_url='https://example.invalid/releases'\n");
    expect(Bun.spawnSync(["sh", "-n"], { stdin: new TextEncoder().encode(sh) }).exitCode).toBe(0);
    const ps1 = stampInstaller(readFileSync(join(root, "install.ps1"), "utf8"), stamp);
    expect(ps1).toContain("\n  $release_version = '9.8.7'\n");
    expect(await powershellErrors(ps1)).toEqual([]);
  });

  test("are not stamped without the empty assignment, or with a value that contains a quote", () => {
    expect(() => stampInstaller("echo hello\n", stamp)).toThrow("exactly one empty assignment of release_version");
    const script = readFileSync(join(root, "install.sh"), "utf8");
    expect(() => stampInstaller(script, { ...stamp, version: "1'; rm -rf ~; '" })).toThrow("cannot stamp this value");
  });

  test.skipIf(process.platform === "win32")("trust their own checksums, not those of the host", async () => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    const sums = await (await fetch(`${world.host.url}/download/v1.0.0/SHA256SUMS`)).text();
    const script = join(world.root, "install.sh");
    const text = readFileSync(script, "utf8");
    delete world.env["AI_RUNTIME_BASE_URL"];
    const stampWith = (checksums: string): void =>
      writeFileSync(script, stampInstaller(text, { version: "1.0.0", url: world.host.url, checksums }));
    stampWith(sums.replaceAll(/^[0-9a-f]{64}/gm, "0".repeat(64)));
    expect(await world.install()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("wrong checksum of ") });
    expect(world.tree()).toEqual({});
    stampWith(sums);
    world.host.requests.length = 0;
    expect(await world.install()).toMatchObject({ exitCode: 0 });
    expect(world.host.requests).toHaveLength(1);
  });
});

test.skipIf(process.platform === "win32")(
  "installs and checks the real executable, and uninstalls everything it created",
  async () => {
    using world = new InstallWorld();
    world.host.publishOne("1.0.0", executable, `ai-runtime-${hostTarget()}.tar.gz`, "gzip -1");
    const tools = join(world.root, "no-xz");
    Bun.spawnSync(["sh", "-c", `mkdir ${tools} && ln -s /usr/bin/* /bin/* ${tools} 2>/dev/null; rm -f ${tools}/xz`]);
    world.env["PATH"] = `${world.bin}:${tools}`;
    world.env["CCLAUDE_CLAUDE_BIN"] = world.host.standIn("2.1.326");
    expect(await world.pipe()).toMatchObject({ exitCode: 0 });
    const version = await world.run([join(world.bin, "cclaude"), "--version"]);
    expect(version.stdout).toBe(`cclaude ${sourceVersion(root).text}\n`);
    expect(existsSync(join(world.home, ".claude/settings.json"))).toBe(true);
    expect(existsSync(join(world.home, ".claude/skills/checkpoint/SKILL.md"))).toBe(true);
    expect((await world.run([join(world.bin, "session-snapshot"), "test"])).exitCode).toBe(0);
    expect(await world.pipe("--uninstall", "--purge")).toMatchObject({ exitCode: 0 });
    const left = Object.keys(world.tree()).filter((path) => !path.startsWith(".config/session-snapshot"));
    expect(left.filter((path) => path.includes("ai-runtime") || path.includes("settings.json"))).toEqual([]);
    expect(existsSync(join(world.bin, "cclaude"))).toBe(false);
  },
);

test.skipIf(process.platform === "win32")("install.sh builds from the checkout it is run from", async () => {
  using world = new InstallWorld();
  delete world.env["AI_RUNTIME_BASE_URL"];
  const { exitCode, stderr } = await world.run(["sh", join(root, "install.sh"), "--dry-run"]);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`would build from ${root}\n`),
  });
  // A piped script does not belong to the current directory.
  const piped = await world.run(["sh", "-c", `cd ${root} && cat install.sh | sh -s -- --dry-run`]);
  expect(piped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("belongs to no release") });
});

test("the page of a release has the line that installs it", () => {
  const page = stampPage(
    readFileSync(join(import.meta.dir, "../../docs/INSTALL.md"), "utf8"),
    "https://host.example/r",
  );
  expect(page).toContain("curl -fsSL https://host.example/r/latest/download/install.sh | sh");
  expect(page).not.toContain("<address>");
});

test.each([
  ["https://host.example/me/tool", "https://host.example/me/tool/releases"],
  ["git+https://host.example/me/tool.git", "https://host.example/me/tool/releases"],
  [{ type: "git", url: "https://host.example/me/tool.git" }, "https://host.example/me/tool/releases"],
  ["git@host.example:me/tool.git", undefined],
  [undefined, undefined],
])("the repository %j has its releases at %p", (repository, releases) => {
  expect(releasesOf(repository)).toBe(releases);
});

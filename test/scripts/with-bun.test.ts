import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Copies the script into a separate checkout on a machine without Bun, where npm cannot fetch anything.
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "with-bun-"));
  mkdirSync(join(root, "scripts"));
  mkdirSync(join(root, "bin"));
  copyFileSync(join(import.meta.dir, "../../scripts/with-bun.mjs"), join(root, "scripts/with-bun.mjs"));
  writeFileSync(join(root, "package.json"), '{"packageManager":"bun@0.0.0"}');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function place(name: string, text: string): string {
  const path = join(root, "bin", name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

function run(variables: Record<string, string>) {
  const child = Bun.spawnSync([process.execPath, join(root, "scripts/with-bun.mjs"), "demo.ts"], {
    env: { PATH: `${join(root, "bin")}:/usr/bin:/bin`, ...variables },
    stdin: "ignore",
  });
  return { exitCode: child.exitCode, stderr: child.stderr.toString() };
}

describe.skipIf(process.platform === "win32")("a failed fetch of Bun", () => {
  const failure = "with-bun: npm could not fetch bun@0.0.0; check the network and try again.\n";

  test("is reported and leaves no staging directory", () => {
    place("npm", "#!/bin/sh\nexit 1\n");
    expect(run({})).toEqual({ exitCode: 1, stderr: expect.stringContaining(failure) });
    expect(readdirSync(join(root, ".tools"))).toEqual([]);
  });

  test("uses npm, even when pnpm started the script", () => {
    place("npm", `#!/bin/sh\necho "$1" >"${root}/npm-was-asked"\nexit 1\n`);
    const pnpm = place("pnpm.cjs", `require("node:fs").writeFileSync("${root}/pnpm-was-asked", "");process.exit(1);`);
    expect(run({ npm_execpath: pnpm }).stderr).toContain(failure);
    expect([existsSync(`${root}/npm-was-asked`), existsSync(`${root}/pnpm-was-asked`)]).toEqual([true, false]);
  });

  test("uses the npm that started the script", () => {
    const npm = place("npm-cli.js", `require("node:fs").writeFileSync("${root}/cli-was-asked", "");process.exit(1);`);
    expect(run({ npm_execpath: npm }).stderr).toContain(failure);
    expect(existsSync(`${root}/cli-was-asked`)).toBe(true);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotOurs, readOwnText, requireOwnDirectory } from "../../src/io/read-own-file.ts";

const posix = process.platform !== "win32";
const isRoot = process.geteuid?.() === 0;

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
  path = join(directory, "file");
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a file in a place of ours", () => {
  test("is read when it is a plain one of this user, and is none when it is not there", () => {
    expect(readOwnText(path)).toBeUndefined();
    writeFileSync(path, "ours");
    expect(readOwnText(path)).toBe("ours");
    expect(readOwnText(join(path, "below"))).toBeUndefined();
  });

  test.skipIf(!posix)("is not followed when it is a link", () => {
    writeFileSync(join(directory, "elsewhere"), "theirs");
    symlinkSync(join(directory, "elsewhere"), path);
    expect(() => readOwnText(path)).toThrow("is a symbolic link: it is left alone");
  });

  test("is not read when it is a directory", () => {
    mkdirSync(path);
    expect(() => readOwnText(path)).toThrow(posix ? "is not a regular file" : NotOurs);
  });

  test.skipIf(!isRoot)("is not read when it is another user's", () => {
    writeFileSync(path, "theirs");
    chownSync(path, 12_345, 12_345);
    expect(() => readOwnText(path)).toThrow("is another user's");
  });

  test("is not read when nothing of ours is that large", () => {
    writeFileSync(path, "x".repeat(1_000_000));
    expect(readOwnText(path)).toHaveLength(1_000_000);
    writeFileSync(path, "x".repeat(1_000_001));
    expect(() => readOwnText(path)).toThrow("has 1000001 bytes");
  });

  // In a process of its own: an open that waits for a writer could not be interrupted here.
  test.skipIf(!posix)(
    "is not waited for when it is a pipe",
    () => {
      expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
      const module = join(import.meta.dir, "../../src/io/read-own-file.ts");
      const program = `import { readOwnText } from ${JSON.stringify(module)};
      try { readOwnText(${JSON.stringify(path)}); } catch (error) { console.log(error.message); }`;
      const { stdout } = Bun.spawnSync([process.execPath, "-e", program], { timeout: 20_000 });
      expect(stdout.toString()).toContain("is not a regular file");
    },
    30_000,
  );
});

describe("a directory of ours", () => {
  test("may be missing", () => {
    expect(() => requireOwnDirectory(path)).not.toThrow();
  });

  test.skipIf(!posix)("is no link", () => {
    symlinkSync(directory, path);
    expect(() => requireOwnDirectory(path)).toThrow("is a symbolic link");
  });

  test("is no file", () => {
    writeFileSync(path, "");
    expect(() => requireOwnDirectory(path)).toThrow("is not a directory");
  });

  test.skipIf(!isRoot)("is not another user's", () => {
    mkdirSync(path);
    chownSync(path, 12_345, 12_345);
    expect(() => requireOwnDirectory(path)).toThrow("is another user's");
  });
});

import { beforeEach, describe, expect, test } from "bun:test";
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NotOurs, readOwnText, requireOwnDirectory } from "../../../src/io/files/read-own-file.ts";
import { scratchDirectory } from "../../support/scratch-directory.ts";

const posix = process.platform !== "win32";
const isRoot = process.geteuid?.() === 0;

const scratch = scratchDirectory();
let path: string;

beforeEach(() => {
  path = scratch("file");
});

describe("reading one of our own files", () => {
  test("returns a regular file of this user, and undefined when it is missing", () => {
    expect(readOwnText(path)).toBeUndefined();
    writeFileSync(path, "ours");
    expect(readOwnText(path)).toBe("ours");
    expect(readOwnText(join(path, "below"))).toBeUndefined();
  });

  test.skipIf(!posix)("refuses a link", () => {
    writeFileSync(scratch("elsewhere"), "theirs");
    symlinkSync(scratch("elsewhere"), path);
    expect(() => readOwnText(path)).toThrow("is a symbolic link: it is left alone");
  });

  test("refuses a directory", () => {
    mkdirSync(path);
    expect(() => readOwnText(path)).toThrow(posix ? "is not a regular file" : NotOurs);
  });

  test.skipIf(!isRoot)("refuses a file of another user", () => {
    writeFileSync(path, "theirs");
    chownSync(path, 12_345, 12_345);
    expect(() => readOwnText(path)).toThrow("is another user's");
  });

  test("refuses a file that is too large", () => {
    writeFileSync(path, "x".repeat(1_000_000));
    expect(readOwnText(path)).toHaveLength(1_000_000);
    writeFileSync(path, "x".repeat(1_000_001));
    expect(() => readOwnText(path)).toThrow("has 1000001 bytes");
  });

  // In a separate process, because an open that waits for a writer cannot be interrupted.
  test.skipIf(!posix)("refuses a pipe without blocking", () => {
    expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
    const module = join(import.meta.dir, "../../../src/io/files/read-own-file.ts");
    const program = `import { readOwnText } from ${JSON.stringify(module)};
      try { readOwnText(${JSON.stringify(path)}); } catch (error) { console.log(error.message); }`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", program], { timeout: 20_000 });
    expect(stdout.toString()).toContain("is not a regular file");
  });
});

describe("checking one of our own directories", () => {
  test("accepts a missing one", () => {
    expect(() => requireOwnDirectory(path)).not.toThrow();
  });

  test.skipIf(!posix)("refuses a link", () => {
    symlinkSync(scratch(""), path);
    expect(() => requireOwnDirectory(path)).toThrow("is a symbolic link");
  });

  test("refuses a file", () => {
    writeFileSync(path, "");
    expect(() => requireOwnDirectory(path)).toThrow("is not a directory");
  });

  test.skipIf(!isRoot)("refuses a directory of another user", () => {
    mkdirSync(path);
    chownSync(path, 12_345, 12_345);
    expect(() => requireOwnDirectory(path)).toThrow("is another user's");
  });
});

import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  copyFile,
  createFile,
  makeDirectory,
  moveFile,
  removeFile,
  replaceFile,
  sweepTemporaries,
} from "../../../src/io/durable/durable.ts";
import { failure } from "../../support/durable-failure.ts";
import { scratchDirectory } from "../../support/scratch-directory.ts";

const posix = process.platform !== "win32";

const scratch = scratchDirectory();
let target: string;

beforeEach(() => {
  target = scratch("target");
});

const read = (path = target): string => readFileSync(path, "utf8");
const mode = (path: string): number => statSync(path).mode & 0o777;

describe("replaceFile", () => {
  test("replaces the content with text or bytes, and leaves no other file", () => {
    replaceFile(target, "first, with a longer text");
    replaceFile(target, "ümlaut");
    expect(read()).toBe("ümlaut");
    replaceFile(target, new Uint8Array([0, 255, 10]));
    expect([...readFileSync(target)]).toEqual([0, 255, 10]);
    replaceFile(target, "");
    expect(read()).toBe("");
    expect(readdirSync(scratch(""))).toEqual(["target"]);
  });

  test("copies a range of an open file, and keeps the old content when the range is too long", () => {
    writeFileSync(scratch("source"), "0123456789");
    const source = openSync(scratch("source"), "r");
    try {
      replaceFile(target, { source, from: 2, to: 6 });
      expect(read()).toBe("2345");
      expect(failure(() => replaceFile(target, { source, from: 2, to: 11 })).code).toBe("short-source");
      expect(read()).toBe("2345");
    } finally {
      closeSync(source);
    }
  });

  test.skipIf(!posix)("sets the requested mode, regardless of the umask", () => {
    replaceFile(target, "private");
    expect(mode(target)).toBe(0o600);
    const umask = process.umask(0o077);
    try {
      replaceFile(target, "public", { mode: 0o644 });
    } finally {
      process.umask(umask);
    }
    expect(mode(target)).toBe(0o644);
  });

  test.skipIf(!posix)("does not change hard links to the old file", () => {
    writeFileSync(target, "old");
    linkSync(target, scratch("backup"));
    replaceFile(target, "new");
    expect(read(scratch("backup"))).toBe("old");
  });

  test("accepts the longest name of the file system", () => {
    const path = join(scratch(""), "n".repeat(255));
    replaceFile(path, "content");
    expect(read(path)).toBe("content");
  });

  test("neither follows nor overwrites a leftover with its temporary name", () => {
    for (let serial = 0; serial < 50; serial++) writeFileSync(scratch(`.target.tmp-${process.pid}-${serial}`), "x");
    replaceFile(target, "content");
    expect(read()).toBe("content");
    expect(readdirSync(scratch(""))).toHaveLength(51);
  });

  test("reports what could not be written, where and why", () => {
    const path = scratch("missing/target");
    const error = failure(() => replaceFile(path, "content"));
    expect(error.message).toBe(`cannot write ${path}: no such file or directory (ENOENT)`);
    expect(error).toMatchObject({ operation: "write", path, code: "ENOENT" });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test("leaves no temporary file when the target cannot be replaced", () => {
    mkdirSync(join(target, "full"), { recursive: true });
    failure(() => replaceFile(target, "content"));
    expect(readdirSync(scratch(""))).toEqual(["target"]);
  });
});

describe("createFile and copyFile", () => {
  test("create a missing file", () => {
    createFile(target, "content");
    copyFile(target, scratch("copy"));
    expect(read(scratch("copy"))).toBe("content");
    expect(readdirSync(scratch("")).sort()).toEqual(["copy", "target"]);
    if (posix) expect([mode(target), mode(scratch("copy")), statSync(target).nlink]).toEqual([0o600, 0o600, 1]);
  });

  test("never change an existing file", () => {
    writeFileSync(target, "old");
    writeFileSync(scratch("source"), "new");
    expect(failure(() => createFile(target, "new")).code).toBe("EEXIST");
    expect(failure(() => copyFile(scratch("source"), target)).code).toBe("EEXIST");
    expect(read()).toBe("old");
    expect(readdirSync(scratch("")).sort()).toEqual(["source", "target"]);
  });

  test.skipIf(!posix)("treat a dangling symbolic link as existing", () => {
    symlinkSync(scratch("elsewhere"), target);
    expect(failure(() => createFile(target, "new")).code).toBe("EEXIST");
    expect(existsSync(scratch("elsewhere"))).toBeFalse();
  });

  test("copy the first bytes on request, and fail when there are fewer", () => {
    writeFileSync(scratch("source"), "0123456789");
    copyFile(scratch("source"), target, { length: 4, mode: 0o640 });
    expect(read()).toBe("0123");
    if (posix) expect(mode(target)).toBe(0o640);
    const error = failure(() => copyFile(scratch("source"), scratch("longer"), { length: 11 }));
    expect(error.code).toBe("short-source");
    expect(readdirSync(scratch("")).sort()).toEqual(["source", "target"]);
  });

  test("name a missing source in the error", () => {
    const source = scratch("missing");
    expect(failure(() => copyFile(source, target)).message).toStartWith(`cannot read ${source}: no such file`);
  });
});

describe("moveFile", () => {
  const there = (): string => scratch("there");

  test("moves, and overwrites only on request", () => {
    writeFileSync(target, "one");
    moveFile(target, there());
    expect([existsSync(target), read(there())]).toEqual([false, "one"]);
    writeFileSync(target, "two");
    expect(failure(() => moveFile(target, there())).code).toBe("EEXIST");
    expect([read(target), read(there())]).toEqual(["two", "one"]);
    moveFile(target, there(), { overwrite: true });
    expect([existsSync(target), read(there())]).toEqual([false, "two"]);
  });

  test("names a missing file in the error", () => {
    expect(failure(() => moveFile(target, there())).message).toBe(
      `cannot move ${target}: no such file or directory (ENOENT)`,
    );
  });
});

describe("removeFile", () => {
  test("returns whether the file existed", () => {
    writeFileSync(target, "content");
    expect(removeFile(target)).toBeTrue();
    expect(removeFile(target)).toBeFalse();
    expect(removeFile(scratch("missing/target"))).toBeFalse();
  });

  test("does not remove directories", () => {
    mkdirSync(target);
    failure(() => removeFile(target));
    expect(existsSync(target)).toBeTrue();
  });
});

describe.skipIf(!posix)("makeDirectory", () => {
  test("creates it and its parents with private permissions, and can be repeated", () => {
    const umask = process.umask(0);
    try {
      makeDirectory(join(target, "inner"));
      makeDirectory(join(target, "inner"));
    } finally {
      process.umask(umask);
    }
    expect([mode(target), mode(join(target, "inner"))]).toEqual([0o700, 0o700]);
  });

  test("makes a readable directory private, unless it is shared", () => {
    mkdirSync(target);
    chmodSync(target, 0o755);
    makeDirectory(target, { shared: true });
    expect(mode(target)).toBe(0o755);
    makeDirectory(target);
    expect(mode(target)).toBe(0o700);
  });

  test("refuses a symbolic link, unless it is shared", () => {
    mkdirSync(scratch("elsewhere"), { mode: 0o755 });
    symlinkSync(scratch("elsewhere"), target);
    expect(failure(() => makeDirectory(target)).code).toBe("symbolic-link");
    makeDirectory(target, { shared: true });
    expect(mode(scratch("elsewhere"))).toBe(0o755);
    makeDirectory(join(target, "inner"));
    expect(existsSync(scratch("elsewhere/inner"))).toBeTrue();
  });

  test("refuses a dangling symbolic link and a file", () => {
    symlinkSync(scratch("nowhere"), target);
    expect(failure(() => makeDirectory(target)).code).toBe("symbolic-link");
    writeFileSync(scratch("file"), "");
    expect(failure(() => makeDirectory(scratch("file"))).code).toBe("not-a-directory");
    expect(failure(() => makeDirectory(scratch("file/inner"))).code).toBe("ENOTDIR");
  });

  test.skipIf(process.geteuid?.() !== 0)("refuses a directory of another user", () => {
    Bun.spawnSync(["install", "-d", "-o", "12345", target]);
    const error = failure(() => makeDirectory(target));
    expect(error.message).toBe(`cannot make directory ${target}: it belongs to another user (12345)`);
  });
});

describe("sweepTemporaries", () => {
  const hour = 3_600_000;

  test("removes only the leftovers of killed writers", () => {
    const old = [".a.tmp-1-0", ".b.jsonl.tmp-99-12", "a.tmp-1-0", ".tmp-1-0", ".a.tmp-1", ".a.tmp-x-0", "state.json"];
    for (const name of [...old, ".young.tmp-1-0"]) writeFileSync(scratch(name), "");
    for (const name of old) utimesSync(scratch(name), 1000, 1000);
    utimesSync(scratch(".young.tmp-1-0"), 10_000, 10_000);
    mkdirSync(scratch(".directory.tmp-1-0"));
    expect(sweepTemporaries(scratch(""), hour, 10_000_000)).toBe(2);
    expect(readdirSync(scratch("")).sort()).toEqual(
      [".a.tmp-1", ".a.tmp-x-0", ".directory.tmp-1-0", ".tmp-1-0", ".young.tmp-1-0", "a.tmp-1-0", "state.json"].sort(),
    );
  });

  test("removes the second name of a published file at any age, and no other linked file", () => {
    writeFileSync(target, "precious");
    linkSync(target, scratch(".target.tmp-1-0"));
    linkSync(target, scratch(".other.tmp-1-0"));
    expect(sweepTemporaries(scratch(""), hour, Date.now())).toBe(1);
    expect(readdirSync(scratch("")).sort()).toEqual([".other.tmp-1-0", "target"]);
    expect(read()).toBe("precious");
  });

  test.skipIf(!posix)("removes a link, not its target", () => {
    writeFileSync(target, "precious");
    symlinkSync(target, scratch(".a.tmp-1-0"));
    sweepTemporaries(scratch(""), -1, Number.POSITIVE_INFINITY);
    expect(lstatSync(scratch(".a.tmp-1-0")).isSymbolicLink()).toBeTrue();
    expect(read()).toBe("precious");
  });

  test("accepts a missing directory", () => {
    expect(sweepTemporaries(scratch("missing"), 0, 0)).toBe(0);
  });
});

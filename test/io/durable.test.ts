import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Append,
  appendRange,
  copyFile,
  createFile,
  DurableError,
  makeDirectory,
  moveFile,
  removeFile,
  replaceFile,
  sweepTemporaries,
} from "../../src/io/durable.ts";
import { appendLine } from "../../src/io/durable-append-line.ts";

setDefaultTimeout(60_000);

const posix = process.platform !== "win32";

let directory: string;
let target: string;

beforeEach(() => {
  directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
  target = join(directory, "target");
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const read = (path = target): string => readFileSync(path, "utf8");
const mode = (path: string): number => statSync(path).mode & 0o777;

function failure(action: () => unknown): DurableError {
  try {
    action();
  } catch (error) {
    if (error instanceof DurableError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("replaceFile", () => {
  test("puts new content in the place of the old, text or bytes, and leaves nothing beside it", () => {
    replaceFile(target, "first, with a longer text");
    replaceFile(target, "ümlaut");
    expect(read()).toBe("ümlaut");
    replaceFile(target, new Uint8Array([0, 255, 10]));
    expect([...readFileSync(target)]).toEqual([0, 255, 10]);
    replaceFile(target, "");
    expect(read()).toBe("");
    expect(readdirSync(directory)).toEqual(["target"]);
  });

  test("takes a range of an open file, and keeps the old content when the file ends before it", () => {
    writeFileSync(join(directory, "source"), "0123456789");
    const source = openSync(join(directory, "source"), "r");
    try {
      replaceFile(target, { source, from: 2, to: 6 });
      expect(read()).toBe("2345");
      expect(failure(() => replaceFile(target, { source, from: 2, to: 11 })).code).toBe("short-source");
      expect(read()).toBe("2345");
    } finally {
      closeSync(source);
    }
  });

  test.skipIf(!posix)("gives the mode asked for, whatever the umask", () => {
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

  test.skipIf(!posix)("leaves other names of the old file as they were", () => {
    writeFileSync(target, "old");
    linkSync(target, join(directory, "backup"));
    replaceFile(target, "new");
    expect(read(join(directory, "backup"))).toBe("old");
  });

  test("names up to the longest that a file system takes", () => {
    const path = join(directory, "n".repeat(255));
    replaceFile(path, "content");
    expect(read(path)).toBe("content");
  });

  test("a leftover with the very name it would use is neither followed nor lost", () => {
    for (let serial = 0; serial < 50; serial++)
      writeFileSync(join(directory, `.target.tmp-${process.pid}-${serial}`), "x");
    replaceFile(target, "content");
    expect(read()).toBe("content");
    expect(readdirSync(directory)).toHaveLength(51);
  });

  test("says what could not be written, where and why", () => {
    const path = join(directory, "missing/target");
    const error = failure(() => replaceFile(path, "content"));
    expect(error.message).toBe(`cannot write ${path}: no such file or directory (ENOENT)`);
    expect(error).toMatchObject({ operation: "write", path, code: "ENOENT" });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test("a target that cannot be replaced leaves no temporary file", () => {
    mkdirSync(join(target, "full"), { recursive: true });
    failure(() => replaceFile(target, "content"));
    expect(readdirSync(directory)).toEqual(["target"]);
  });
});

describe("createFile and copyFile", () => {
  test("create what was not there", () => {
    createFile(target, "content");
    copyFile(target, join(directory, "copy"));
    expect(read(join(directory, "copy"))).toBe("content");
    expect(readdirSync(directory).sort()).toEqual(["copy", "target"]);
    if (posix) expect([mode(target), mode(join(directory, "copy")), statSync(target).nlink]).toEqual([0o600, 0o600, 1]);
  });

  test("never touch what was", () => {
    writeFileSync(target, "old");
    writeFileSync(join(directory, "source"), "new");
    expect(failure(() => createFile(target, "new")).code).toBe("EEXIST");
    expect(failure(() => copyFile(join(directory, "source"), target)).code).toBe("EEXIST");
    expect(read()).toBe("old");
    expect(readdirSync(directory).sort()).toEqual(["source", "target"]);
  });

  test.skipIf(!posix)("a dangling symbolic link is something that is there", () => {
    symlinkSync(join(directory, "elsewhere"), target);
    expect(failure(() => createFile(target, "new")).code).toBe("EEXIST");
    expect(existsSync(join(directory, "elsewhere"))).toBeFalse();
  });

  test("copy the first bytes when told so, and refuse when there are fewer", () => {
    writeFileSync(join(directory, "source"), "0123456789");
    copyFile(join(directory, "source"), target, { length: 4, mode: 0o640 });
    expect(read()).toBe("0123");
    if (posix) expect(mode(target)).toBe(0o640);
    const error = failure(() => copyFile(join(directory, "source"), join(directory, "longer"), { length: 11 }));
    expect(error.code).toBe("short-source");
    expect(readdirSync(directory).sort()).toEqual(["source", "target"]);
  });

  test("a missing source is named", () => {
    const source = join(directory, "missing");
    expect(failure(() => copyFile(source, target)).message).toStartWith(`cannot read ${source}: no such file`);
  });
});

describe("appendRange", () => {
  let source: number;
  const content = Buffer.from(Array.from({ length: 60_000 }, (_, line) => `line ${line}\n`).join(""));

  beforeEach(() => {
    writeFileSync(join(directory, "source"), content);
    source = openSync(join(directory, "source"), "r");
  });

  afterEach(() => closeSync(source));

  const append = (change: Partial<Append>): number =>
    appendRange({ source, from: 0, to: content.length, target, at: 0, ...change });

  test("grows a mirror to a byte-exact prefix of its source, piece by piece", () => {
    expect(append({ to: 7 })).toBe(7);
    expect(append({ from: 7, to: 300_000, at: 7 })).toBe(300_000);
    expect(append({ from: 300_000, at: 300_000 })).toBe(content.length);
    expect(readFileSync(target).equals(content)).toBeTrue();
    if (posix) expect(mode(target)).toBe(0o600);
  });

  test("takes bytes in memory as well", () => {
    expect(append({ source: content, from: 5, to: 25 })).toBe(20);
    expect(read()).toBe(content.subarray(5, 25).toString());
  });

  test("shows every byte once, in order, as it passes", () => {
    const hash = new Bun.CryptoHasher("sha256");
    const sizes: number[] = [];
    append({
      onChunk: (bytes) => {
        hash.update(bytes);
        sizes.push(bytes.length);
      },
    });
    expect(hash.digest("hex")).toBe(new Bun.CryptoHasher("sha256").update(content).digest("hex"));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
  });

  test("drops a tail that was never acknowledged, be it longer or shorter than what comes", () => {
    writeFileSync(target, "good\nunacknowledged and long");
    expect(append({ source: Buffer.from("new\n"), to: 4, at: 5 })).toBe(9);
    expect(read()).toBe("good\nnew\n");
    expect(append({ source: Buffer.from(""), to: 0, at: 5 })).toBe(5);
    expect(read()).toBe("good\n");
  });

  test("a source that is shorter than expected leaves the target as it was", () => {
    writeFileSync(target, "good\n");
    const error = failure(() => append({ to: content.length + 1, at: 5 }));
    expect(error.code).toBe("short-source");
    expect(read()).toBe("good\n");
  });

  test("a target that has lost acknowledged bytes is not filled up with NULs", () => {
    writeFileSync(target, "goo");
    const error = failure(() => append({ at: 5 }));
    expect(error.code).toBe("short-target");
    expect(error.message).toBe(`cannot append to ${target}: it has 3 bytes, where 5 were expected`);
    expect(read()).toBe("goo");
  });

  test("a target that is gone although it should have bytes is not created", () => {
    expect(failure(() => append({ at: 5 })).code).toBe("ENOENT");
    expect(existsSync(target)).toBeFalse();
  });

  test.skipIf(!posix)("does not write through a symbolic link", () => {
    writeFileSync(join(directory, "elsewhere"), "precious");
    symlinkSync(join(directory, "elsewhere"), target);
    failure(() => append({}));
    expect(read(join(directory, "elsewhere"))).toBe("precious");
  });

  test("an error in the caller's hash leaves the target as it was", () => {
    writeFileSync(target, "good\n");
    failure(() =>
      append({
        at: 5,
        onChunk: () => {
          throw new Error("from the hash");
        },
      }),
    );
    expect(read()).toBe("good\n");
  });
});

describe("appendLine", () => {
  test("adds to what is there, and makes a file that is the user's alone", () => {
    appendLine(target, "one");
    appendLine(target, "two");
    expect(read()).toBe("one\ntwo\n");
    if (posix) expect(mode(target)).toBe(0o600);
  });

  test.skipIf(!posix)("does not write through a symbolic link", () => {
    const elsewhere = join(directory, "elsewhere");
    writeFileSync(elsewhere, "precious");
    symlinkSync(elsewhere, target);
    expect(failure(() => appendLine(target, "line")).code).toBe("ELOOP");
    expect(readFileSync(elsewhere, "utf8")).toBe("precious");
  });
});

describe("moveFile", () => {
  const there = (): string => join(directory, "there");

  test("moves, and overwrites only when asked", () => {
    writeFileSync(target, "one");
    moveFile(target, there());
    expect([existsSync(target), read(there())]).toEqual([false, "one"]);
    writeFileSync(target, "two");
    expect(failure(() => moveFile(target, there())).code).toBe("EEXIST");
    expect([read(target), read(there())]).toEqual(["two", "one"]);
    moveFile(target, there(), { overwrite: true });
    expect([existsSync(target), read(there())]).toEqual([false, "two"]);
  });

  test("a missing file is named", () => {
    expect(failure(() => moveFile(target, there())).message).toBe(
      `cannot move ${target}: no such file or directory (ENOENT)`,
    );
  });
});

describe("removeFile", () => {
  test("says whether there was anything", () => {
    writeFileSync(target, "content");
    expect(removeFile(target)).toBeTrue();
    expect(removeFile(target)).toBeFalse();
    expect(removeFile(join(directory, "missing/target"))).toBeFalse();
  });

  test("does not remove directories", () => {
    mkdirSync(target);
    failure(() => removeFile(target));
    expect(existsSync(target)).toBeTrue();
  });
});

describe.skipIf(!posix)("makeDirectory", () => {
  test("creates it and its parents for us alone, twice without complaint", () => {
    const umask = process.umask(0);
    try {
      makeDirectory(join(target, "inner"));
      makeDirectory(join(target, "inner"));
    } finally {
      process.umask(umask);
    }
    expect([mode(target), mode(join(target, "inner"))]).toEqual([0o700, 0o700]);
  });

  test("closes one that others could read, unless it is shared", () => {
    mkdirSync(target);
    chmodSync(target, 0o755);
    makeDirectory(target, { shared: true });
    expect(mode(target)).toBe(0o755);
    makeDirectory(target);
    expect(mode(target)).toBe(0o700);
  });

  test("refuses a symbolic link, unless it is shared", () => {
    mkdirSync(join(directory, "elsewhere"), { mode: 0o755 });
    symlinkSync(join(directory, "elsewhere"), target);
    expect(failure(() => makeDirectory(target)).code).toBe("symbolic-link");
    makeDirectory(target, { shared: true });
    expect(mode(join(directory, "elsewhere"))).toBe(0o755);
    makeDirectory(join(target, "inner"));
    expect(existsSync(join(directory, "elsewhere/inner"))).toBeTrue();
  });

  test("refuses a dangling symbolic link and a file", () => {
    symlinkSync(join(directory, "nowhere"), target);
    expect(failure(() => makeDirectory(target)).code).toBe("symbolic-link");
    writeFileSync(join(directory, "file"), "");
    expect(failure(() => makeDirectory(join(directory, "file"))).code).toBe("not-a-directory");
    expect(failure(() => makeDirectory(join(directory, "file/inner"))).code).toBe("ENOTDIR");
  });

  test.skipIf(process.geteuid?.() !== 0)("refuses one of another user", () => {
    Bun.spawnSync(["install", "-d", "-o", "12345", target]);
    const error = failure(() => makeDirectory(target));
    expect(error.message).toBe(`cannot make directory ${target}: it belongs to another user (12345)`);
  });
});

describe("sweepTemporaries", () => {
  const hour = 3_600_000;

  test("removes what killed writers left, and nothing else", () => {
    const old = [".a.tmp-1-0", ".b.jsonl.tmp-99-12", "a.tmp-1-0", ".tmp-1-0", ".a.tmp-1", ".a.tmp-x-0", "state.json"];
    for (const name of [...old, ".young.tmp-1-0"]) writeFileSync(join(directory, name), "");
    for (const name of old) utimesSync(join(directory, name), 1000, 1000);
    utimesSync(join(directory, ".young.tmp-1-0"), 10_000, 10_000);
    mkdirSync(join(directory, ".directory.tmp-1-0"));
    expect(sweepTemporaries(directory, hour, 10_000_000)).toBe(2);
    expect(readdirSync(directory).sort()).toEqual(
      [".a.tmp-1", ".a.tmp-x-0", ".directory.tmp-1-0", ".tmp-1-0", ".young.tmp-1-0", "a.tmp-1-0", "state.json"].sort(),
    );
  });

  test.skipIf(!posix)("removes a link, not what it points to", () => {
    writeFileSync(target, "precious");
    symlinkSync(target, join(directory, ".a.tmp-1-0"));
    sweepTemporaries(directory, -1, Number.POSITIVE_INFINITY);
    expect(lstatSync(join(directory, ".a.tmp-1-0")).isSymbolicLink()).toBeTrue();
    expect(read()).toBe("precious");
  });

  test("a directory that is not there needs no sweeping", () => {
    expect(sweepTemporaries(join(directory, "missing"), 0, 0)).toBe(0);
  });
});

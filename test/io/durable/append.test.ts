import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { type Append, appendRange } from "../../../src/io/durable/durable.ts";
import { appendLine } from "../../../src/io/durable/append-line.ts";
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

describe("appendRange", () => {
  let source: number;
  const content = Buffer.from(Array.from({ length: 60_000 }, (_, line) => `line ${line}\n`).join(""));

  beforeEach(() => {
    writeFileSync(scratch("source"), content);
    source = openSync(scratch("source"), "r");
  });

  afterEach(() => closeSync(source));

  const append = (change: Partial<Append>): number =>
    appendRange({ source, from: 0, to: content.length, target, at: 0, ...change });

  test("grows a mirror to a byte-exact prefix of its source, chunk by chunk", () => {
    expect(append({ to: 7 })).toBe(7);
    expect(append({ from: 7, to: 300_000, at: 7 })).toBe(300_000);
    expect(append({ from: 300_000, at: 300_000 })).toBe(content.length);
    expect(readFileSync(target).equals(content)).toBeTrue();
    if (posix) expect(mode(target)).toBe(0o600);
  });

  test("accepts bytes in memory", () => {
    expect(append({ source: content, from: 5, to: 25 })).toBe(20);
    expect(read()).toBe(content.subarray(5, 25).toString());
  });

  test("passes every byte to onChunk once, in order", () => {
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

  test("drops an unacknowledged tail that is longer or shorter than the new bytes", () => {
    writeFileSync(target, "good\nunacknowledged and long");
    expect(append({ source: Buffer.from("new\n"), to: 4, at: 5 })).toBe(9);
    expect(read()).toBe("good\nnew\n");
    expect(append({ source: Buffer.from(""), to: 0, at: 5 })).toBe(5);
    expect(read()).toBe("good\n");
  });

  test("does not change the target when the source is too short", () => {
    writeFileSync(target, "good\n");
    const error = failure(() => append({ to: content.length + 1, at: 5 }));
    expect(error.code).toBe("short-source");
    expect(read()).toBe("good\n");
  });

  test("does not fill a truncated target with NULs", () => {
    writeFileSync(target, "goo");
    const error = failure(() => append({ at: 5 }));
    expect(error.code).toBe("short-target");
    expect(error.message).toBe(`cannot append to ${target}: it has 3 bytes, expected at least 5`);
    expect(read()).toBe("goo");
  });

  test("does not create a missing target that should have bytes", () => {
    expect(failure(() => append({ at: 5 })).code).toBe("ENOENT");
    expect(existsSync(target)).toBeFalse();
  });

  test.skipIf(!posix)("does not write through a symbolic link", () => {
    writeFileSync(scratch("elsewhere"), "precious");
    symlinkSync(scratch("elsewhere"), target);
    failure(() => append({}));
    expect(read(scratch("elsewhere"))).toBe("precious");
  });

  test("does not change the target when onChunk throws", () => {
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
  test("appends to a file, and creates it with private permissions", () => {
    appendLine(target, "one");
    appendLine(target, "two");
    expect(read()).toBe("one\ntwo\n");
    if (posix) expect(mode(target)).toBe(0o600);
  });

  test.skipIf(!posix)("does not write through a symbolic link", () => {
    const elsewhere = scratch("elsewhere");
    writeFileSync(elsewhere, "precious");
    symlinkSync(elsewhere, target);
    expect(failure(() => appendLine(target, "line")).code).toBe("ELOOP");
    expect(readFileSync(elsewhere, "utf8")).toBe("precious");
  });
});

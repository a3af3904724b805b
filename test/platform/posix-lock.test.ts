import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockByFile } from "../../src/platform/posix-lock.ts";

describe.skipIf(process.platform === "win32")(
  "a lock file that its holder discards between our open and our lock",
  () => {
    let directory: string;
    let path: string;
    let opened: number[];

    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), "air-"));
      path = join(directory, "session.lock");
      opened = [];
    });

    afterEach(() => rmSync(directory, { recursive: true, force: true }));

    /** Opens the file, and discards it after each of the first opens. */
    const opener =
      (discarded: number, successor: () => void = () => {}) =>
      (): number => {
        const descriptor = openSync(path, "a");
        opened.push(descriptor);
        if (opened.length <= discarded) {
          rmSync(path);
          successor();
        }
        return descriptor;
      };

    test("is opened again, because no other process can find the old file", () => {
      const lock = lockByFile(path, opener(2));
      if (!lock) throw new Error("it was free");
      expect(opened).toHaveLength(3);
      expect(fstatSync(opened.at(-1) ?? -1).ino).toBe(statSync(path).ino);
      lock.release();
    });

    test("is opened again when another process has created a new one", () => {
      const lock = lockByFile(
        path,
        opener(1, () => closeSync(openSync(path, "a"))),
      );
      if (!lock) throw new Error("it was free");
      expect(opened).toHaveLength(2);
      lock.discard();
      expect(existsSync(path)).toBeFalse();
    });

    test("is given up after too many attempts", () => {
      expect(lockByFile(path, opener(Number.POSITIVE_INFINITY))).toBeUndefined();
      for (const descriptor of opened) expect(() => fstatSync(descriptor)).toThrow();
    });
  },
);

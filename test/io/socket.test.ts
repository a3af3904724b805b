import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isListening, type Listener, openDoor } from "../../src/io/socket.ts";

const deaf: Listener = { onData: () => {}, onDrain: () => {}, onClose: () => {} };

test.skipIf(process.platform === "win32")(
  "the place of one that listens is not taken; it is free when it has left",
  async () => {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
    const path = join(directory, "door.sock");
    try {
      const first = await openDoor(path, () => deaf);
      expect(openDoor(path, () => deaf)).rejects.toThrow("another host is listening");
      expect(await isListening(path)).toBe(true);
      first.close();
      expect(existsSync(path)).toBe(false);
      expect(await isListening(path)).toBe(false);
      (await openDoor(path, () => deaf)).close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);

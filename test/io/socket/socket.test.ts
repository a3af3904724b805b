import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectTo, isListening, type Listener, openSocketServer } from "../../../src/io/socket/socket.ts";

const deaf: Listener = { onData: () => {}, onDrain: () => {}, onClose: () => {} };

test.skipIf(process.platform === "win32")(
  "refuses a path while another server listens there, and accepts it afterwards",
  async () => {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
    const path = join(directory, "door.sock");
    try {
      const first = await openSocketServer(path, () => deaf);
      expect(openSocketServer(path, () => deaf)).rejects.toThrow("another host is listening");
      expect(await isListening(path)).toBe(true);
      first.close();
      expect(existsSync(path)).toBe(false);
      expect(await isListening(path)).toBe(false);
      (await openSocketServer(path, () => deaf)).close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);

test.skipIf(process.platform === "win32")("does not connect through a directory that others can open", async () => {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
  const path = join(directory, "door.sock");
  try {
    const server = await openSocketServer(path, () => deaf);
    (await connectTo(path, deaf)).close();
    chmodSync(directory, 0o755);
    expect(connectTo(path, deaf)).rejects.toThrow("can be opened by others");
    server.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

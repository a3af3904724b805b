// Keys reach a program in a PTY whole and in order, also when it reads slowly and the terminal's buffer is full.
import { expect, test } from "bun:test";
import { startInPty } from "../../../src/io/terminal/pty.ts";

/** Reads in small pieces with pauses, and prints a hash of everything. */
const slowReader = `
const { readSync } = require("node:fs");
const hash = new Bun.CryptoHasher("sha256");
const buffer = new Uint8Array(777);
console.log("ready");
for (let count = 0, pieces = 0; count < 300_000; pieces++) {
  const length = readSync(0, buffer);
  hash.update(buffer.subarray(0, length));
  count += length;
  if (pieces % 10 === 0) Bun.sleepSync(1);
}
console.log("hash " + hash.digest("hex"));`;

test.skipIf(process.platform === "win32")("a slow program receives all keys in order", async () => {
  let output = "";
  const isReady = Promise.withResolvers<void>();
  const pty = startInPty({
    command: ["sh", "-c", `stty raw -echo; exec "${process.execPath}" -e '${slowReader}'`],
    name: "sh",
    variables: process.env,
    directory: "/tmp",
    size: { columns: 80, rows: 24 },
    onOutput: (bytes) => {
      output += Buffer.from(bytes).toString("latin1");
      if (output.includes("ready")) isReady.resolve();
    },
    onStopped: () => {},
  });
  await isReady.promise;
  const all = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
  for (let at = 0, size = 1; at < all.length; at += size) {
    size = ((size * 3) % 5_003) + 1;
    pty.write(all.subarray(at, at + size));
    // Lets the terminal accept more, so that writes take both ways.
    if (size % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await pty.ended;
  expect(output).toContain(`hash ${new Bun.CryptoHasher("sha256").update(all).digest("hex")}`);
});

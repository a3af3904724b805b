// Writes a file to the terminal byte by byte as it is, then records what it receives.
import { appendFileSync, readFileSync, writeSync } from "node:fs";

const [payload = "", expected = "0"] = process.argv.slice(2);
Bun.spawnSync(["stty", "raw", "-echo"], { stdio: ["inherit", "ignore", "inherit"] });
const bytes = readFileSync(payload);
for (let at = 0; at < bytes.length; at += 5_000) writeAll(bytes.subarray(at, at + 5_000));

let count = 0;
for await (const typed of Bun.stdin.stream()) {
  appendFileSync("received", typed);
  count += typed.length;
  if (count >= Number(expected)) break;
}
process.exit(7);

function writeAll(piece: Uint8Array): void {
  for (let at = 0; at < piece.length;) at += writeSync(1, piece.subarray(at));
}

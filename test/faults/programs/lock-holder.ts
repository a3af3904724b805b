// lock-holder <how> <lock file> [counter file]: takes the lock in a process of its own.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { lockWithin, tryLock } from "../../../src/store/lock.ts";

const [how, path = "", counter = ""] = process.argv.slice(2);

/** Says whether it has the lock, and keeps it until its stdin ends. */
async function hold(afterwards: () => string = () => ""): Promise<void> {
  const lock = tryLock(path);
  writeSync(1, lock === "busy" ? "busy\n" : `held ${afterwards()}\n`);
  await Bun.stdin.text();
  if (lock !== "busy") lock.release();
}

/** A child that outlives us, as a detached supervisor would. */
function startChild(): string {
  const child = Bun.spawn(["tail", "-f", "/dev/null"], { detached: true, stdio: ["ignore", "ignore", "ignore"] });
  child.unref();
  return String(child.pid);
}

/** Reads and writes a number in two steps, many times: a lock that two can hold loses counts. */
async function count(): Promise<void> {
  for (let round = 0; round < 40; round++) {
    const lock = await lockWithin(path, 30_000);
    if (lock === "busy") throw new Error("waited too long");
    writeFileSync(counter, String(Number(readFileSync(counter, "utf8")) + 1));
    if (round % 2 === 0) lock.release();
    else lock.discard();
  }
}

if (how === "hold") await hold();
if (how === "hold-and-start-child") await hold(startChild);
if (how === "count") await count();

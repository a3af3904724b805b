// lock-holder <how> <lock file> [counter file]: takes the lock in a separate process.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { lockWithin, tryLock } from "../../../src/store/lock.ts";

const [how, path = "", counter = ""] = process.argv.slice(2);

/** Prints whether it has the lock, and holds it until stdin closes. */
async function hold(afterwards: () => string = () => ""): Promise<void> {
  const lock = tryLock(path);
  writeSync(1, lock ? `held ${afterwards()}\n` : "busy\n");
  await Bun.stdin.text();
  lock?.release();
}

/** Starts a child that outlives this process, like a detached supervisor. */
function startChild(): string {
  const child = Bun.spawn(["tail", "-f", "/dev/null"], { detached: true, stdio: ["ignore", "ignore", "ignore"] });
  child.unref();
  return String(child.pid);
}

/** Increments a number non-atomically many times: if two processes held the lock at once, counts would be lost. */
async function count(): Promise<void> {
  for (let round = 0; round < 40; round++) {
    const lock = await lockWithin(path, 30_000);
    if (!lock) throw new Error("waited too long");
    writeFileSync(counter, String(Number(readFileSync(counter, "utf8")) + 1));
    if (round % 2 === 0) lock.release();
    else lock.discard();
  }
}

if (how === "hold") await hold();
if (how === "hold-and-start-child") await hold(startChild);
if (how === "count") await count();

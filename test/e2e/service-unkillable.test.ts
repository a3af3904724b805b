// A claude that not even SIGKILL ends, as in a system call that never returns: the service does not wait for ever.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceWorld } from "../support/service-world.ts";
import { untilFile } from "../support/until-file.ts";

setDefaultTimeout(120_000);

/** The old freezer holds back even SIGKILL; who has only the new one cannot make such a process. */
const freezer = "/sys/fs/cgroup/freezer";
const missing = process.getuid?.() !== 0 || !existsSync(join(freezer, "tasks"));
if (missing) console.error("skipped: no freezer of cgroup version 1");

class Frozen implements Disposable {
  readonly #group = join(freezer, `ai-runtime-test-${process.pid}`);

  constructor(pid: number) {
    mkdirSync(this.#group);
    writeFileSync(join(this.#group, "cgroup.procs"), String(pid));
    writeFileSync(join(this.#group, "freezer.state"), "FROZEN");
  }

  [Symbol.dispose](): void {
    writeFileSync(join(this.#group, "freezer.state"), "THAWED");
    // Its last process ends a moment later.
    while (readFileSync(join(this.#group, "cgroup.procs"), "utf8") !== "") Bun.sleepSync(10);
    rmdirSync(this.#group);
  }
}

test.skipIf(missing)("the service ends with a failure, so that the system starts it again", async () => {
  using world = new ServiceWorld();
  world.says("stays", "");
  const placed = await world.place("--watchdog", "1s");
  const service = world.start(placed);
  await untilFile(join(world.control, "start.0"), () => true);
  const started = await untilFile(placed.log, (text) => text.includes("started claude"));
  const pid = Number(/process (\d+)/.exec(started)?.[1]);
  using _frozen = new Frozen(pid);
  const sessions = join(world.home, ".claude/sessions");
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId: "x", status: "busy" }));
  expect(await service.exited).toBe(1);
  expect(readFileSync(placed.log, "utf8")).toMatch(/watchdog: claude is at work[^\n]*\n\S+ claude could not be ended/);
});

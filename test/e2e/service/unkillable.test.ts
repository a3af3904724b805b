// A process in a system call that never returns survives SIGKILL. The service must not wait for it forever.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceWorld } from "../../support/service/service-world.ts";
import { untilFile } from "../../support/until-file.ts";

/** Only the freezer of cgroup version 1 blocks SIGKILL, so the test needs it. */
const freezer = "/sys/fs/cgroup/freezer";
const missing = process.getuid?.() !== 0 || !existsSync(join(freezer, "tasks"));
if (missing) console.error("skipped: no freezer of cgroup version 1");

class FrozenProcess implements Disposable {
  readonly #group = join(freezer, `ai-runtime-test-${process.pid}`);

  constructor(pid: number) {
    mkdirSync(this.#group);
    writeFileSync(join(this.#group, "cgroup.procs"), String(pid));
    writeFileSync(join(this.#group, "freezer.state"), "FROZEN");
  }

  [Symbol.dispose](): void {
    writeFileSync(join(this.#group, "freezer.state"), "THAWED");
    // The group can only be removed when its last process has ended.
    while (readFileSync(join(this.#group, "cgroup.procs"), "utf8") !== "") Bun.sleepSync(10);
    rmdirSync(this.#group);
  }
}

test.skipIf(missing)(
  "a service exits with a failure when SIGKILL does not end claude, so that the system restarts it",
  async () => {
    using world = new ServiceWorld();
    world.writeControl("stays", "");
    const placed = await world.place("--watchdog", "1s");
    const service = world.start(placed);
    await untilFile(join(world.control, "start.0"), () => true);
    const started = await untilFile(placed.log, (text) => text.includes("started claude"));
    const pid = Number(/process (\d+)/.exec(started)?.[1]);
    using _frozen = new FrozenProcess(pid);
    const sessions = join(world.home, ".claude/sessions");
    mkdirSync(sessions, { recursive: true });
    writeFileSync(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId: "x", status: "busy" }));
    expect(await service.exited).toBe(1);
    expect(readFileSync(placed.log, "utf8")).toMatch(
      /watchdog: claude is working[^\n]*\n\S+ claude could not be ended/,
    );
  },
);

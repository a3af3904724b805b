// The recovery after a boot: what it has taken is on disk before it starts it, and it ends as done exactly once.
import { expect } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BootRecord, parseBootRecord } from "../../../src/core/run/boot-recovery.ts";
import { newRun, type RunRecord } from "../../../src/core/run/run-record.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const stateOf = (world: FaultWorld): string => join(world.home, ".local/state/ai-runtime");

/** A run that the end of an earlier boot interrupted. */
export function interruptRun(
  world: FaultWorld,
  id: string,
  { sessionId = crypto.randomUUID(), cwd = world.directory, claude = "claude" } = {},
): void {
  const plan = { id, kind: "headless", task: "Do it", cwd, directory: join(cwd, ".ai-runtime/sessions", id) } as const;
  const more = {
    sessionId,
    claude,
    flags: [],
    permissionMode: null,
    claudeConfig: join(world.home, ".claude"),
  };
  const record = newRun({ ...plan, ...more, created: Date.now(), maxWait: null, maxBudgetUsd: null });
  const supervisor = { pid: 7, startTime: "1", bootId: "earlier" };
  const interrupted: RunRecord = { ...record, status: { ...record.status, phase: "working", supervisor } };
  const active = join(stateOf(world), "runs/active");
  mkdirSync(active, { recursive: true, mode: 0o700 });
  writeFileSync(join(active, `${id}.json`), JSON.stringify(interrupted), { mode: 0o600 });
}

export function bootOf(world: FaultWorld): BootRecord | undefined {
  const path = join(stateOf(world), "boot.json");
  if (!existsSync(path)) return undefined;
  const record = parseBootRecord(readFileSync(path, "utf8"));
  expect([readFileSync(path, "utf8"), record]).toEqual([expect.any(String), expect.anything()]);
  return record;
}

const logPath = (world: FaultWorld): string => join(stateOf(world), "services/at-login.log");

const ids = ["20270115-080000-aaaa", "20270115-080000-aaab"];

const recovery: Story = {
  title: "recovery after a boot",
  // The directories of its runs are gone: it takes them, names them, and starts nothing.
  exitCode: 3,
  async prepare(world) {
    for (const id of ids) interruptRun(world, id, { cwd: join(world.home, "gone") });
    return { words: ["recover", "--all", "--boot", "--quiet"] };
  },
  outcome(world) {
    const boot = bootOf(world);
    expect(ids).toEqual(expect.arrayContaining(boot?.taken.map(({ id }) => id) ?? []));
    if (boot?.state !== "done") return "old";
    // A run that could not be read is named, and stays for the user.
    for (const id of ids.filter((each) => !boot.taken.some((taken) => taken.id === each))) {
      expect(readFileSync(logPath(world), "utf8")).toContain(`the record of run ${id} cannot be read`);
    }
    return "new";
  },
  async recover(world) {
    const wasDone = bootOf(world)?.state === "done";
    const { exitCode } = await world.runtime(["recover", "--all", "--boot", "--quiet"]);
    expect([wasDone, exitCode]).toEqual([wasDone, wasDone ? 0 : 3]);
    expect(await recovery.outcome(world)).toBe("new");
    // The runs stay for the user.
    const listed = await world.runtime(["recover", "--dry-run"]);
    for (const id of ids) expect(listed.stdout).toContain(id);
  },
};

export const bootStories: readonly Story[] = [recovery];

// The queue: a run that is acknowledged starts in its moment, once, whatever happened to the processes before.
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { QueueEntry } from "../../../src/core/queue/queue.ts";
import { QueueJournal } from "../../../src/store/queue/queue-journal.ts";
import { RunPaths } from "../../../src/store/runs/run-paths.ts";
import { until } from "../../support/until.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";
import { placeClaude, records, starts } from "./run.ts";

let env: Record<string, string> = {};

const journal = (world: FaultWorld): QueueJournal =>
  new QueueJournal(new RunPaths(join(world.home, ".local/state/ai-runtime")));
const entries = (world: FaultWorld): readonly QueueEntry[] => journal(world).read().entries;

const queuedRun: Story = {
  title: "queued run",
  leavesTemporaries: true,
  isUneven: true,
  async prepare(world) {
    env = placeClaude(world);
    return { words: ["run", "Do it", "--at", "now"], env };
  },
  outcome(world) {
    const [only, ...more] = records(world);
    expect(more).toEqual([]);
    if (!only) {
      expect(starts(world)).toBe(0);
      return "old";
    }
    // A run that has not started must be in the queue, or it would wait forever.
    if (only.status.phase === "queued") expect(entries(world).map(({ id }) => id)).toEqual([only.plan.id]);
    return "new";
  },
  async recover(world) {
    const [before] = records(world);
    const started = starts(world);
    await world.runtime(["recover", "--all"], { env });
    const hasLeft = (): boolean => entries(world).length === 0;
    await until(hasLeft, () => JSON.stringify(entries(world)));
    if (!before) return expect(starts(world)).toBe(0);
    const isOver = (): boolean => ["done", "failed"].includes(records(world)[0]?.status.phase ?? "");
    await until(isOver, () => JSON.stringify(records(world)));
    // The fault may have hit every start of claude. The run has then failed, and the user resumes it.
    if (records(world)[0]?.status.phase === "failed") await world.runtime(["resume", before.plan.id], { env });
    expect(records(world)[0]?.status.phase).toBe("done");
    if (before.status.phase === "done") expect(starts(world)).toBe(started);
    if (before.status.phase === "queued") expect([started, starts(world)]).toEqual([0, 1]);
  },
};

const pause: Story = {
  title: "pause of the queue",
  async prepare() {
    return { words: ["queue", "pause"] };
  },
  outcome: (world) => (journal(world).read().isPaused ? "new" : "old"),
  async recover(world) {
    await world.runtime(["queue", "resume"]);
    expect(journal(world).read().isPaused).toBeFalse();
    await world.runtime(["queue", "pause"]);
    expect(journal(world).read().isPaused).toBeTrue();
    const path = join(world.home, ".local/state/ai-runtime/queue/journal.jsonl");
    expect(existsSync(path) && readFileSync(path, "utf8").endsWith("\n")).toBeTrue();
  },
};

export const queueStories: readonly Story[] = [queuedRun, pause];

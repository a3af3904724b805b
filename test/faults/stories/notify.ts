// Notifications: an event that is kept reaches its channel after any interruption, and a run does not depend on it.
import { expect } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";
import { runStories } from "./run.ts";

const waitingDirectory = (world: FaultWorld): string => join(world.home, ".local/state/ai-runtime/notify/command");
const waiting = (world: FaultWorld): string[] =>
  readdirSync(waitingDirectory(world)).filter((name) => !name.startsWith("."));
const said = (world: FaultWorld): string => {
  const path = join(world.notes, "said");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const envOf = (world: FaultWorld): Record<string, string> => ({
  AI_RUNTIME_NOTIFY_COMMAND_WORDS: `cat >>${world.notes}/said`,
  AI_RUNTIME_NOTIFY_COMMAND_SHELL: "on",
  AI_RUNTIME_NOTIFY_INTERVAL_SECONDS: "0",
});

const deliver: Story = {
  title: "delivery of a waiting event",
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    mkdirSync(waitingDirectory(world), { recursive: true, mode: 0o700 });
    const facts = { source: "run", id: "x", title: null, directory: "/p", until: null, need: null, cause: null };
    const event = { event: "done", time: Date.now(), ...facts };
    writeFileSync(
      join(waitingDirectory(world), `${String(event.time).padStart(14, "0")}-abc.json`),
      JSON.stringify(event),
      { mode: 0o600 },
    );
    return { words: ["deliver"], env: envOf(world) };
  },
  outcome(world) {
    if (waiting(world).length > 0) return "old";
    // An event that no longer waits was said, or its failure is recorded.
    const state = readFileSync(`${waitingDirectory(world)}.json`, "utf8");
    if (said(world) === "") expect(state).toContain("command");
    return "new";
  },
  async recover(world) {
    await world.runtime(["deliver"], { env: envOf(world) });
    expect(waiting(world)).toEqual([]);
  },
};

const [run] = runStories;
if (!run) throw new Error("there is no story of a run");

const tellingRun: Story = {
  ...run,
  title: "run with notifications",
  isUneven: true,
  async prepare(world) {
    const { words, env } = await run.prepare(world);
    return { words, env: { ...env, ...envOf(world) } };
  },
};

export const notifyStories: readonly Story[] = [deliver, tellingRun];

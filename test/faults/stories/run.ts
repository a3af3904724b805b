// A run: everything needed to continue is on disk before claude starts, and a finished task never runs twice.
import { expect } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { readJournal } from "../../../src/store/runs/journal.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

/** A fake claude that finishes in one answer and records it like the real one. It is outside the home and counts its starts. */
export function placeClaude(world: FaultWorld): Record<string, string> {
  const place = join(world.root, "fake");
  const project = join(world.home, ".claude/projects", projectDirectoryName(world.directory));
  mkdirSync(place, { recursive: true });
  mkdirSync(project, { recursive: true });
  const claude = join(place, "claude");
  const user =
    '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"\'$id\'","message":{"role":"user","content":"Do it"}}';
  const message =
    '{"id":"m","role":"assistant","type":"message","stop_reason":"end_turn","content":[{"type":"text","text":"Done."}]}';
  const answer = `{"type":"assistant","uuid":"a","parentUuid":"u","sessionId":"'$id'","message":${message}}`;
  writeFileSync(
    claude,
    `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.326 (Claude Code)'; exit 0; }
printf '%s\\n' "$@" >>${world.notes}/words
while [ $# -gt 0 ]; do case "$1" in --session-id|--resume) id=$2;; --settings) cat "$2" >>${world.notes}/settings;; esac; shift; done
cat >/dev/null
echo start >>${world.notes}/starts
printf '%s\\n' '${user}' '${answer}' >>${project}/$id.jsonl
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"'$id'"}' '${answer}'
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"Done.","total_cost_usd":0.5}'
`,
  );
  chmodSync(claude, 0o755);
  return { CCLAUDE_CLAUDE_BIN: claude, AI_RUNTIME_RETRY_SECONDS: "0.01", AI_RUNTIME_MAX_ATTEMPTS: "2" };
}

export const starts = (world: FaultWorld): number => {
  const path = join(world.notes, "starts");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
};

export function records(world: FaultWorld): RunRecord[] {
  return ["active", "ended"].flatMap((where) => {
    const directory = join(world.home, ".local/state/ai-runtime/runs", where);
    const names = existsSync(directory) ? readdirSync(directory).filter((name) => /^[^.].*\.json$/.test(name)) : [];
    return names.flatMap((name) => readRecord(join(directory, name)));
  });
}

/** Nothing when the run has just moved to the other directory: the next look finds it there. */
function readRecord(path: string): RunRecord[] {
  try {
    return [JSON.parse(readFileSync(path, "utf8")) as RunRecord];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return [];
  }
}

/** Done according to the journal, which is written first, or to the record. */
function isDone({ plan, status }: RunRecord): boolean {
  const { entries } = readJournal(join(plan.directory, "journal.jsonl"));
  expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index + 1));
  const last = entries.findLast(({ kind }) => kind === "transition");
  return status.phase === "done" || last?.["phase"] === "done";
}

let env: Record<string, string> = {};

const run: Story = {
  title: "complete run",
  leavesTemporaries: true,
  async prepare(world): Promise<Command> {
    env = placeClaude(world);
    return { words: ["run", "Do it"], env };
  },
  outcome(world) {
    const [only, ...more] = records(world);
    expect(more).toEqual([]);
    if (only) expect(only.plan).toMatchObject({ task: "Do it", cwd: world.directory });
    // Without a record, claude must not have started.
    else expect(starts(world)).toBe(0);
    return only && isDone(only) ? "new" : "old";
  },
  async recover(world) {
    const [only] = records(world);
    if (!only) return;
    const wasDone = isDone(only);
    const before = starts(world);
    const recovered = await world.runtime(["recover"], { env });
    expect([0, 4]).toContain(recovered.exitCode ?? -1);
    if (wasDone) expect(starts(world)).toBe(before);
    // The fault may have hit every start of claude. The run has then failed, and the user resumes it.
    const hasFailed = records(world)[0]?.status.phase === "failed";
    if (hasFailed) expect((await world.runtime(["resume", only.plan.id], { env })).exitCode).toBe(0);
    const [after] = records(world);
    expect([after && isDone(after), recovered.stderr]).toEqual([true, recovered.stderr]);
    // A second recover leaves a finished run alone.
    const done = starts(world);
    await world.runtime(["recover"], { env });
    expect(starts(world)).toBe(done);
  },
};

const secret = "s3cret-0f-the-user";
const ownSettings = (world: FaultWorld): string => join(world.root, "own-settings.json");
const runSettings = (world: FaultWorld): string => join(world.home, ".config/session-snapshot/run-settings");
const noted = (world: FaultWorld, name: string): string => {
  const path = join(world.notes, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** The user's settings and our hooks are in a file of ours while claude runs. A kill may leave it; a later start removes it. */
const runWithSettings: Story = {
  ...run,
  title: "run with settings of the user",
  async prepare(world) {
    const { words, env } = await run.prepare(world);
    writeFileSync(ownSettings(world), JSON.stringify({ env: { OF_THE_USER: secret } }));
    return { words: [...words, "--settings", ownSettings(world)], ...(env ? { env } : {}) };
  },
  outcome(world) {
    expect(noted(world, "words")).not.toContain(secret);
    // Every claude that started had the user's settings, whether or not our hooks could be added.
    expect(noted(world, "settings").split(secret).length - 1).toBeGreaterThanOrEqual(starts(world));
    return run.outcome(world);
  },
  async recover(world) {
    await run.recover(world);
    expect(noted(world, "words")).not.toContain(secret);
    const directory = runSettings(world);
    const left = existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
    const old = new Date(Date.now() - 2 * 86_400_000);
    for (const path of left) utimesSync(path, old, old);
    await world.runtime(["cclaude", "-p", "hi", "--settings", ownSettings(world)], { env });
    expect(noted(world, "words").trimEnd().split("\n").at(-1)).toStartWith(`${directory}/`);
    expect(readdirSync(directory)).toEqual([]);
  },
};

export const runStories: readonly Story[] = [run, runWithSettings];

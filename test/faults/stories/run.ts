// A run: everything needed to go on is on disk before claude starts, and a finished task is never done twice.
import { expect } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import type { RunRecord } from "../../../src/core/run-record.ts";
import { readJournal } from "../../../src/store/journal.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

/** One that does its work in one answer, as the real one records it. It lies outside of the home, and counts its starts there. */
function placeClaude(world: FaultWorld): Record<string, string> {
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
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit 0; }
while [ $# -gt 0 ]; do case "$1" in --session-id|--resume) id=$2;; esac; shift; done
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

const starts = (world: FaultWorld): number => {
  const path = join(world.notes, "starts");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
};

function records(world: FaultWorld): RunRecord[] {
  return ["active", "ended"].flatMap((where) => {
    const directory = join(world.home, ".local/state/ai-runtime/runs", where);
    const names = existsSync(directory) ? readdirSync(directory).filter((name) => /^[^.].*\.json$/.test(name)) : [];
    return names.map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as RunRecord);
  });
}

/** Done by the journal, which is written first, or by the record. */
function isDone({ plan, status }: RunRecord): boolean {
  const { entries } = readJournal(join(plan.directory, "journal.jsonl"));
  expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index + 1));
  const last = entries.findLast(({ kind }) => kind === "transition");
  return status.phase === "done" || last?.["phase"] === "done";
}

let env: Record<string, string> = {};

const run: Story = {
  title: "a run to its end",
  leavesTemporaries: true,
  async prepare(world): Promise<Command> {
    env = placeClaude(world);
    return { words: ["run", "Do it"], env };
  },
  outcome(world) {
    const [only, ...more] = records(world);
    expect(more).toEqual([]);
    if (only) expect(only.plan).toMatchObject({ task: "Do it", cwd: world.directory });
    // Nothing of claude's ran that is not on record.
    else expect(starts(world)).toBe(0);
    return only && isDone(only) ? "new" : "old";
  },
  async heal(world) {
    const [only] = records(world);
    if (!only) return;
    const wasDone = isDone(only);
    const before = starts(world);
    const recovered = await world.runtime(["recover"], { env });
    expect([0, 4]).toContain(recovered.exitCode ?? -1);
    if (wasDone) expect(starts(world)).toBe(before);
    // The fault may have been claude's own, at each of its starts: then it was given up, with the words for going on.
    const given = records(world)[0]?.status.phase === "failed";
    if (given) expect((await world.runtime(["resume", only.plan.id], { env })).exitCode).toBe(0);
    const [after] = records(world);
    expect([after && isDone(after), recovered.stderr]).toEqual([true, recovered.stderr]);
    // Once more: what is done is left alone.
    const done = starts(world);
    await world.runtime(["recover"], { env });
    expect(starts(world)).toBe(done);
  },
};

export const runStories: readonly Story[] = [run];

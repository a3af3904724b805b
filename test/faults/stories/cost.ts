// What was learned about the cost of resumes: old or new at any time, and never in the way of a run.
import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";
import { runStories } from "./run.ts";

const [run] = runStories;
if (!run) throw new Error("there is no story of a run");

const readModel = (world: FaultWorld): { ratio: number } | undefined => {
  const path = join(world.home, ".local/state/ai-runtime/cost-model.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { ratio: number }) : undefined;
};

/** The first claude is killed in a conversation of long ago; the second one continues it. */
const coldRun: Story = {
  ...run,
  title: "run with a cold resume",
  isUneven: true,
  async prepare(world) {
    const { words, env = {} } = await run.prepare(world);
    const claude = env["CCLAUDE_CLAUDE_BIN"] ?? "";
    const usage = '"usage":{"input_tokens":1000,"cache_creation_input_tokens":50000,"output_tokens":10}';
    const setTime = `time=2026-01-01T00:00:00.000Z; [ -e ${world.notes}/again ] && time=$(date -u +%Y-%m-%dT%H:%M:%S.999Z)`;
    const script = readFileSync(claude, "utf8")
      .replace("cat >/dev/null", `cat >/dev/null; ${setTime}`)
      .replaceAll('"stop_reason":"end_turn"', `"stop_reason":"end_turn",${usage}`)
      .replaceAll('{"type":"assistant"', `{"timestamp":"'$time'","type":"assistant"`)
      .replace(
        'printf \'%s\\n\' \'{"type":"system"',
        `[ -e ${world.notes}/again ] || { touch ${world.notes}/again; kill -9 $$; }\n$&`,
      );
    writeFileSync(claude, script);
    return { words, env };
  },
  async recover(world) {
    await run.recover(world);
    const model = readModel(world);
    if (model) expect(model.ratio).toBeWithin(0.2, 5);
  },
};

export const costStories: readonly Story[] = [coldRun];

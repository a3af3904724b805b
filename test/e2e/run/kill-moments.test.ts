// A task of 20 steps is killed at drawn moments: claude alone, or every process, with or without damage to the transcript. No step is
// skipped, and none that is known to have completed runs again. KILL_MOMENTS=200 is the full test, KILL_SEED repeats a failed one,
// KILL_REPORT names a file for what was tried.
import { describe, expect, test } from "bun:test";
import { playKills } from "../../support/kills/play-kills.ts";
import { claudeVersions, newestClaude } from "../../support/sandbox/claude-versions.ts";

const wanted = Number(process.env["KILL_MOMENTS"] ?? 8);
const seed = Number(process.env["KILL_SEED"] ?? 1);
const isFull = wanted > 8;
const killsPerTask = isFull ? 5 : 2;
const hostedShare = 0.25;

const plans = [
  ...Array.from({ length: Math.ceil((wanted * (1 - hostedShare)) / killsPerTask) }, (_, task) => ({
    mode: "headless" as const,
    version: claudeVersions[task % claudeVersions.length] ?? newestClaude,
    kills: killsPerTask,
    seed: 1_000 * seed + task,
  })),
  ...Array.from({ length: Math.ceil((wanted * hostedShare) / killsPerTask) }, (_, task) => ({
    mode: "hosted" as const,
    version: claudeVersions[task % claudeVersions.length] ?? newestClaude,
    kills: killsPerTask,
    seed: 1_000 * seed + 500 + task,
  })),
];

describe("kills at any moment repeat no known step and skip none", () => {
  for (const plan of plans) {
    test(`${plan.mode}, Claude Code ${plan.version}, seed ${plan.seed}`, async () => {
      const { moments, repeated, skipped } = await playKills(plan);
      expect({ repeated, skipped }).toEqual({ repeated: [], skipped: [] });
      expect(moments).not.toBeEmpty();
    }, 400_000);
  }
});

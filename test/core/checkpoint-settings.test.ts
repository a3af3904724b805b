import { expect, test } from "bun:test";
import { readCheckpointSettings } from "../../src/core/checkpoint-settings.ts";

const defaults = { atPercent: 97, staleDays: 7 };

test("the environment wins over the file, the file over the defaults", () => {
  const file = '{"checkpointAtPercent": 90, "checkpointStaleDays": 3}';
  expect(readCheckpointSettings(undefined, {})).toEqual({ settings: defaults, problems: [] });
  expect(readCheckpointSettings(file, { AI_RUNTIME_CHECKPOINT_AT_PERCENT: "80" })).toEqual({
    settings: { atPercent: 80, staleDays: 3 },
    problems: [],
  });
});

test.each([
  ['{"checkpointAtPercent": "90"}', {}, "config.json: checkpointAtPercent must be a number from 0 to 100; using 97"],
  [undefined, { AI_RUNTIME_CHECKPOINT_STALE_DAYS: "soon" }, "AI_RUNTIME_CHECKPOINT_STALE_DAYS must be a number"],
  ['{"checkpointAtPercent": 101}', {}, "must be a number from 0 to 100"],
])("%j with %j is reported and not guessed", (file, environment: Record<string, string>, problem) => {
  const { settings, problems } = readCheckpointSettings(file, environment);
  expect(settings).toEqual(defaults);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

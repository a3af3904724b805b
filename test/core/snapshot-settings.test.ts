import { expect, test } from "bun:test";
import { defaultSnapshotSettings as defaults, readSettings } from "../../src/core/snapshot-settings.ts";

test("nothing said means the defaults", () => {
  expect(readSettings(undefined, {})).toEqual({ settings: defaults, problems: [] });
});

test("the environment wins over the file, the file over the defaults", () => {
  const { settings, problems } = readSettings('{"minSize": 1, "interval": 2}', { SESSION_SNAPSHOT_INTERVAL: "3" });
  expect({ settings, problems }).toEqual({ settings: { ...defaults, minSize: 1, interval: 3 }, problems: [] });
});

test.each([
  ["not json", {}, ["config.json is not a JSON object; using the defaults"]],
  ["[]", {}, ["config.json is not a JSON object; using the defaults"]],
  ['{"minSize": "many"}', {}, ["config.json: minSize must be a whole number of at least 0; using 200000"]],
  [
    "{}",
    { SESSION_SNAPSHOT_INTERVAL: "-1" },
    ["SESSION_SNAPSHOT_INTERVAL must be a whole number of at least 0; using 80000"],
  ],
  [
    "{}",
    { SESSION_SNAPSHOT_MAX_DISK: "5GB" },
    ["SESSION_SNAPSHOT_MAX_DISK must be a whole number of at least 0; using 5000000000"],
  ],
])("%s %p is reported, and the default holds", (file, environment, problems) => {
  expect(readSettings(file, environment)).toEqual({ settings: defaults, problems });
});

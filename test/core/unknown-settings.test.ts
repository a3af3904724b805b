import { expect, test } from "bun:test";
import { readCheckpointSettings } from "../../src/core/checkpoint-settings.ts";
import { readHostSettings } from "../../src/core/host-settings.ts";
import { readSettings } from "../../src/core/snapshot-settings.ts";
import { unknownSettings } from "../../src/core/unknown-settings.ts";

const everyKey =
  "minSize interval maxDisk coldAfterDays checkpointAtPercent checkpointStaleDays detachKey typeContinuation quietHours continueAfterSeconds";

test.each(everyKey.split(" "))("%s is a setting, and read", (key) => {
  const file = JSON.stringify({ [key]: {} });
  expect(unknownSettings(file)).toEqual([]);
  const readers = [readSettings, readCheckpointSettings, readHostSettings];
  expect(readers.flatMap((read) => read(file, {}).problems)).toHaveLength(1);
});

test.each<[string, string[]]>([
  ["maxdisk", ["config.json: maxdisk is no setting; it is written maxDisk"]],
  ["size", [expect.stringMatching(/^config.json: size is no setting: there are minSize, interval, /)]],
])("%s is none", (key, said) => {
  expect(unknownSettings(JSON.stringify({ [key]: 1, minSize: 1 }))).toEqual(said);
});

test.each([undefined, "", "garbage", "[1]", "null", "3"])("%j has no keys", (file) => {
  expect(unknownSettings(file)).toEqual([]);
});

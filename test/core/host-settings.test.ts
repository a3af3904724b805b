import { expect, test } from "bun:test";
import { readHostSettings } from "../../src/core/host-settings.ts";

test("without a word: Ctrl-\\ d, and it types", () => {
  expect(readHostSettings(undefined, {})).toEqual({
    settings: {
      detachKey: { name: "Ctrl-\\ d", first: 0x1c, second: 0x64 },
      continuation: { isOn: true, quietHours: undefined, after: undefined },
    },
    problems: [],
  });
});

test("the file, and the environment over it", () => {
  const file = JSON.stringify({
    detachKey: "ctrl-]",
    typeContinuation: false,
    quietHours: "22:00-07:00",
    continueAfterSeconds: 9,
  });
  const { settings, problems } = readHostSettings(file, {
    AI_RUNTIME_DETACH_KEY: "ctrl-b d",
    AI_RUNTIME_TYPE_CONTINUATION: "1",
  });
  expect(problems).toEqual([]);
  expect(settings.detachKey.name).toBe("Ctrl-B d");
  expect(settings.continuation).toEqual({ isOn: true, quietHours: { from: 1_320, to: 420 }, after: 9_000 });
});

test("what cannot be used is said, and the default holds", () => {
  const file = JSON.stringify({
    detachKey: 7,
    typeContinuation: "maybe",
    quietHours: "at night",
    continueAfterSeconds: -1,
  });
  const { settings, problems } = readHostSettings(file, {});
  expect(settings).toEqual(readHostSettings(undefined, {}).settings);
  expect(problems).toEqual([
    'config.json: detachKey must be a key like "ctrl-]" or "ctrl-b d"; using Ctrl-\\ d',
    "config.json: typeContinuation must be true or false; using true",
    'config.json: quietHours must be hours like "22:00-07:00"; there are none',
    "config.json: continueAfterSeconds must be a number of seconds",
  ]);
});

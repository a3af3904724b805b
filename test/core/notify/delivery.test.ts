import { describe, expect, test } from "bun:test";
import { channelsFor, configuredChannels, isTerse } from "../../../src/core/notify/channels.ts";
import { decideDelivery, type DeliveryFacts, retryPause, type Waiting } from "../../../src/core/notify/delivery.ts";
import type { Notification } from "../../../src/core/notify/notification.ts";
import { readSettings } from "../../../src/core/settings.ts";

const now = 1_800_000_000_000;
const calm: DeliveryFacts = { now, minute: 720, quietHours: undefined, lastSent: null, intervalMs: 30_000 };

function waiting(name: string, change: Partial<Notification> = {}): Waiting {
  const facts = {
    source: "run",
    id: name,
    title: null,
    directory: "/p",
    until: null,
    need: null,
    cause: null,
  } as const;
  return { name, notification: { event: "done", time: now - 1_000, ...facts, ...change } };
}

describe("when a channel gets its next message", () => {
  const night = { from: 22 * 60, to: 7 * 60 };
  test.each([
    ["nothing waits", [], {}, { kind: "idle" }],
    ["the first event", [waiting("a")], {}, { kind: "send", names: ["a"] }],
    ["the interval is over", [waiting("a")], { lastSent: now - 30_000 }, { kind: "send" }],
    ["the interval is not over", [waiting("a")], { lastSent: now - 10_000 }, { kind: "wait", until: now + 20_000 }],
    ["the clock was set back", [waiting("a")], { lastSent: now + 3_600_000 }, { kind: "send" }],
    ["no interval", [waiting("a")], { lastSent: now, intervalMs: 0 }, { kind: "send" }],
    [
      "quiet hours",
      [waiting("a")],
      { quietHours: night, minute: 23 * 60 },
      { kind: "wait", until: now + 8 * 3_600_000 },
    ],
    ["after midnight", [waiting("a")], { quietHours: night, minute: 60 }, { kind: "wait", until: now + 6 * 3_600_000 }],
    ["their last minute", [waiting("a")], { quietHours: night, minute: 419 }, { kind: "wait", until: now + 60_000 }],
    ["their end", [waiting("a")], { quietHours: night, minute: 420 }, { kind: "send" }],
    [
      "an event of the day before yesterday",
      [waiting("old", { time: now - 25 * 3_600_000 }), waiting("a")],
      { quietHours: night, minute: 60 },
      { kind: "drop", names: ["old"] },
    ],
  ] satisfies [string, Waiting[], Partial<DeliveryFacts>, object][])("%s", (_, items, facts, expected) => {
    expect(decideDelivery(items, { ...calm, ...facts })).toMatchObject(expected);
  });

  test("what waits is one message: the newest of each event, in order of time", () => {
    const items = [
      waiting("1", { id: "x", event: "limit", until: 1, time: now - 9 }),
      waiting("2", { id: "y", event: "done", time: now - 8 }),
      waiting("3", { id: "x", event: "limit", until: 2, time: now - 7 }),
      waiting("4", { id: "x", event: "resumed", time: now - 6 }),
    ];
    const decision = decideDelivery(items.toReversed(), calm);
    if (decision.kind !== "send") throw new Error(decision.kind);
    expect(decision.items.map(({ id, event, until }) => [id, event, until])).toEqual([
      ["y", "done", null],
      ["x", "limit", 2],
      ["x", "resumed", null],
    ]);
    expect(decision.names.toSorted()).toEqual(["1", "2", "3", "4"]);
  });
});

test("a delivery is tried three times, unless a repetition cannot help", () => {
  expect([1, 2, 3].map((tries) => retryPause(tries, false, 10_000))).toEqual([2_000, 8_000, undefined]);
  expect(retryPause(1, true, 10_000)).toBeUndefined();
});

describe("which channel gets what", () => {
  const settingsOf = (config: object) => readSettings(JSON.stringify(config), {}).settings;

  test.each([
    [{}, []],
    [{ "notify.desktop": ["all"] }, ["desktop"]],
    [{ "notify.desktop": [] }, []],
    [{ "notify.desktop": ["failed"] }, []],
    [{ "notify.desktop": ["failed", "done"], "notify.terminal": ["done"] }, ["terminal", "desktop"]],
    [{ "notify.ntfy": ["all"] }, []],
    [{ "notify.ntfyUrl": "https://ntfy.example.org/t" }, ["ntfy"]],
    [{ "notify.ntfyUrl": "https://ntfy.example.org/t", "notify.ntfy": ["needs-you"] }, []],
    [{ "notify.ntfyUrl": "file:///etc/passwd" }, []],
    [{ "notify.ntfyUrl": "https://user:pass@ntfy.example.org/t" }, []],
    [{ "notify.webhookUrl": "http://127.0.0.1:1/x", "notify.commandWords": ["tell"] }, ["webhook", "command"]],
    [{ "notify.commandWords": ["tell"], "notify.command": [] }, []],
    [{ "notify.desktop": ["everything"] }, []],
  ])("%j: done goes to %j", (config, expected) => {
    expect(channelsFor("done", settingsOf(config))).toEqual(expected as never[]);
  });

  test("off by default", () => expect(configuredChannels(settingsOf({}))).toEqual([]));

  test.each([
    ["network", [false, false, true, true, false]],
    ["always", [true, true, true, true, true]],
    ["never", [false, false, false, false, false]],
  ])("terse %s", (terse, expected) => {
    const settings = settingsOf({ "notify.terse": terse });
    const all = ["terminal", "desktop", "ntfy", "webhook", "command"] as const;
    expect(all.map((channel) => isTerse(channel, settings))).toEqual(expected);
  });
});

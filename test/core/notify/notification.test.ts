import { expect, test } from "bun:test";
import { composeMessage, type Notification, notifyEvents, payloadOf } from "../../../src/core/notify/notification.ts";

const clock = (time: number): string => new Date(time).toISOString().slice(11, 16);

export const sample: Notification = {
  event: "done",
  time: Date.parse("2026-11-18T10:00:00Z"),
  source: "run",
  id: "k3f9",
  title: "Secret task",
  directory: "/home/me/secret",
  until: null,
  need: null,
  cause: null,
};

test.each([
  [{}, "ai-runtime: Done", "run k3f9 is done"],
  [{ event: "resumed" }, "ai-runtime: Resumed", "run k3f9 continues"],
  [{ event: "limit" }, "ai-runtime: Usage limit", "run k3f9 waits for a usage limit"],
  [
    { event: "limit", until: Date.parse("2026-11-18T12:54:00Z") },
    "ai-runtime: Usage limit",
    "run k3f9 waits for a usage limit until 12:54",
  ],
  [{ event: "failed", cause: "billing" }, "ai-runtime: Failed", "run k3f9 failed (billing)"],
  [{ event: "gave-up", cause: "crash" }, "ai-runtime: Gave up", "run k3f9 gave up (crash)"],
  [
    { event: "needs-you", need: "permission", source: "session" },
    "ai-runtime: Claude needs you",
    "session k3f9 asks for a permission",
  ],
  [{ event: "needs-you", need: "question" }, "ai-runtime: Claude needs you", "run k3f9 asks a question"],
  [
    { event: "needs-you", need: "context-full", source: "service" },
    "ai-runtime: Claude needs you",
    "service k3f9 cannot continue: its context is full",
  ],
] satisfies [Partial<Notification>, string, string][])("%j", (change, title, text) => {
  const item = { ...sample, ...change };
  expect(composeMessage([item], { isTerse: true, clock })).toMatchObject({ title, text });
  const whole = composeMessage([item], { isTerse: false, clock });
  expect(whole).toMatchObject({ title, text: `${text} · Secret task · /home/me/secret` });
});

test.each(notifyEvents)("a terse message about %s has no title and no path, also in its payload", (event) => {
  const message = composeMessage([{ ...sample, event }], { isTerse: true, clock });
  expect(`${message.title}${message.text}${JSON.stringify(message)}${payloadOf(message)}`).not.toMatch(/[Ss]ecret/);
  expect(payloadOf(composeMessage([{ ...sample, event }], { isTerse: false, clock }))).toContain("Secret task");
});

test("several events are one message, led by the one that needs the user most, with the newest lines", () => {
  const items = Array.from({ length: 12 }, (_, n) => ({ ...sample, id: `run${n}` }));
  const message = composeMessage([...items, { ...sample, event: "needs-you", need: "question", id: "last" }], {
    isTerse: true,
    clock,
  });
  expect(message).toMatchObject({ event: "needs-you", title: "ai-runtime: 13 events, claude needs you" });
  const lines = message.text.split("\n");
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([9, "5 earlier", "run last asks a question"]);
  expect((JSON.parse(payloadOf(message)) as { events: unknown[] }).events).toHaveLength(13);
});

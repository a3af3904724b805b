// The end of quiet hours, with a clock of the test.
import { expect, test } from "bun:test";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { deliverAll, spoolOf } from "../../../src/app/notify/deliver.ts";
import { Receiver } from "../../support/notify/receiver.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

test("events of the night are one message, sent when the quiet hours end and not before", async () => {
  await using receiver = new Receiver("answers");
  using world = new HookWorld();
  const night = new Date(2026, 0, 15, 23, 30).getTime();
  const morning = new Date(2026, 0, 16, 7, 0).getTime();
  const sentAt: { time: number; received: number }[] = [];
  let time = new Date(2026, 0, 16, 6, 58).getTime();
  const variables = {
    ...world.env,
    AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url,
    AI_RUNTIME_NOTIFY_QUIET_HOURS: "22:00-07:00",
  };
  // Each look at the clock is half a minute later. Waits end at once: this morning is in the past.
  const now = (): number => {
    sentAt.push({ time, received: receiver.received.length });
    return (time += 30_000);
  };
  const environment = { ...currentEnvironment(variables), now };
  const spool = spoolOf(environment);
  for (const [at, id] of ["first", "second"].entries()) {
    const facts = { source: "run", id, title: null, directory: "/", until: null, need: null, cause: null } as const;
    expect(spool.add("webhook", { ...facts, event: "done", time: night + at }, id)).toBe(true);
  }
  await deliverAll(environment);
  expect(receiver.received).toHaveLength(1);
  expect(receiver.events).toEqual(["done", "done"]);
  expect(sentAt.filter((look) => look.time < morning && look.received > 0)).toEqual([]);
  expect(sentAt.filter((look) => look.time < morning).length).toBeGreaterThan(2);
  expect(spool.list("webhook")).toEqual([]);
});

import { expect, test } from "bun:test";
import {
  decideHangup,
  type Ending,
  endingDuring,
  type HangupDecision,
  type HangupSituation,
  nothingEnded,
  recordEndStep,
} from "../../../src/core/host/hang-up.ts";

const now = 1_794_900_000_000;
const second = 1_000;
const hour = 3_600 * second;

const idle: HangupSituation = {
  now,
  policy: "finish",
  lostAt: now - 60 * second,
  state: { kind: "idle", background: false },
  since: now - 60 * second,
  quietMs: 10 * second,
  screen: "empty",
  continuesLimits: true,
  askTimeoutMs: 24 * hour,
  ending: nothingEnded,
};
const working = { ...idle, state: { kind: "working" } } as const;
const asking = { ...idle, state: { kind: "asking", about: "permission" } } as const;
const limit = (
  until: number | null,
  held: "typing" | "canceled" | "no-prompt" | null = null,
): Partial<HangupSituation> => ({
  state: { kind: "limit", until, held },
});
/** What the host did, the last step so many milliseconds ago. */
const did = (agoMs: number, ...steps: Ending["last"][]): Ending =>
  steps.reduce(
    (before, step) => (step === "nothing" ? before : recordEndStep(before, step, now - agoMs)),
    nothingEnded,
  );

const wait = (until: number | null): HangupDecision => ({ kind: "wait", until });
const act = (step: Extract<HangupDecision, { kind: "do" }>["step"]): HangupDecision => ({ kind: "do", step });

test.each<[what: string, situation: Partial<HangupSituation>, decision: HangupDecision]>([
  ["keep: an idle Claude stays", { policy: "keep" }, wait(null)],
  ["keep: a question stays for as long as it takes", { ...asking, policy: "keep", since: 0, lostAt: 0 }, wait(null)],
  ["end: a working Claude gets a hangup at once", { ...working, policy: "end" }, act("SIGHUP")],
  ["end: Claude has a moment to end", { policy: "end", ending: did(second, "SIGHUP") }, wait(now + 9 * second)],
  [
    "end: a Claude that ignores the hangup gets SIGTERM",
    { policy: "end", ending: did(11 * second, "SIGHUP") },
    act("SIGTERM"),
  ],
  ["end: a Claude that ignores SIGTERM is killed", { policy: "end", ending: did(11 * second, "SIGTERM") }, act("kill")],
  ["finish: the turn goes on", { state: working.state }, wait(null)],
  ["finish: an idle Claude may go on by itself for a moment", { quietMs: second }, wait(now + 2 * second)],
  ["finish: an idle Claude gets the command to exit", {}, act("text")],
  ["finish: the command is shown", { screen: "ours", ending: did(second, "text") }, act("send")],
  [
    "finish: the host's own keys do not delay it",
    { screen: "ours", quietMs: 600, ending: did(600, "text") },
    act("send"),
  ],
  ["finish: the screen has a moment to show it", { ending: did(200, "text") }, wait(now + 300)],
  ["finish: it went into a search", { ending: did(second, "text") }, act("escape")],
  ["finish: the search is closed", { ending: did(3 * second, "text", "escape") }, act("text")],
  ["finish: the user left text at the prompt", { screen: "typed" }, act("drop")],
  ["finish: what looked like text is a menu", { screen: "typed", ending: did(second, "drop") }, act("escape")],
  ["finish: a menu is open", { screen: "menu" }, act("escape")],
  [
    "finish: Claude asks whether its tasks may stop",
    { screen: "exit-dialog", ending: did(second, "send") },
    act("send"),
  ],
  [
    "finish: tasks in the background may let Claude continue",
    { state: { kind: "idle", background: true }, since: now - second },
    wait(now - second + hour),
  ],
  [
    "finish: a task in the background does not end",
    { state: { kind: "idle", background: true }, since: now - 2 * hour, lostAt: now - 2 * hour },
    act("text"),
  ],
  ["finish: there is no prompt", { screen: "unknown" }, act("escape")],
  [
    "finish: hooks may delay the end",
    { screen: "unknown", ending: did(second, "text", "send") },
    wait(now + 14 * second),
  ],
  ["finish: the command had no effect", { ending: did(16 * second, "text", "send") }, act("text")],
  [
    "finish: the command had no effect three times",
    { ending: did(16 * second, "send", "send", "send") },
    act("SIGTERM"),
  ],
  ["finish: keys have had no effect for a minute", { ending: did(61 * second, "escape") }, act("SIGTERM")],
  [
    "finish: Escape has brought no prompt back",
    { screen: "unknown", ending: did(3 * second, "escape", "escape", "escape", "escape", "escape") },
    act("SIGTERM"),
  ],
  ["finish: a Claude that ignores SIGTERM is killed", { ending: did(11 * second, "send", "SIGTERM") }, act("kill")],
  ["finish: a full conversation ends, too", { state: { kind: "context-full" } }, act("text")],
  ["finish: the host continues the limit", limit(now + hour), wait(null)],
  ["finish: the host continues it a little after the reset", limit(now - 60 * second), wait(null)],
  [
    "finish: only Claude itself may continue it",
    { ...limit(now - 60 * second), continuesLimits: false },
    wait(now + 540 * second),
  ],
  ["finish: Claude itself did not", { ...limit(now - hour), continuesLimits: false }, act("text")],
  ["finish: the limit has no reset", limit(null), act("text")],
  ["finish: the user canceled the wait", limit(null, "canceled"), act("text")],
  [
    "finish: the user's text keeps the host from continuing",
    { ...limit(null, "typing"), screen: "typed" },
    act("clear"),
  ],
  [
    "finish: without that text the host continues soon",
    { ...limit(null, "typing"), ending: did(60 * second, "clear") },
    wait(now + 120 * second),
  ],
  ["finish: the host did not continue", { ...limit(null, "typing"), ending: did(200 * second, "clear") }, act("text")],
  ["finish: the prompt is not visible for now", limit(null, "no-prompt"), wait(null)],
  [
    "finish: a question waits, from the loss of the terminal on",
    { ...asking, since: 0 },
    wait(now - 60 * second + 24 * hour),
  ],
  [
    "finish: a later question waits from its own time on",
    { ...asking, since: now - second },
    wait(now - second + 24 * hour),
  ],
  [
    "finish: a question without an answer is not answered",
    { ...asking, since: 0, askTimeoutMs: 60 * second, screen: "typed" },
    act("SIGTERM"),
  ],
  ["an ended Claude needs nothing", { state: { kind: "ended" } }, wait(null)],
])("%s", (_, situation, decision) => {
  expect(decideHangup({ ...idle, ...situation })).toEqual(decision);
});

test("a turn that begins meanwhile starts the end anew, unless a signal was sent", () => {
  const typed = did(0, "clear", "text", "send");
  expect(endingDuring(typed, working.state)).toEqual({ ...nothingEnded, clearedAt: now });
  expect(endingDuring(typed, idle.state)).toEqual(typed);
  const signaled = did(0, "SIGTERM");
  expect(endingDuring(signaled, working.state)).toEqual(signaled);
});

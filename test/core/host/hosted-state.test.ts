import { expect, test } from "bun:test";
import {
  decideHostedState,
  type HostedSignals,
  type HostedState,
  isSameState,
} from "../../../src/core/host/hosted-state.ts";

const now = 1_794_900_000_000;
const reset = now + 3_600_000;

const quietScreen: HostedSignals["screen"] = { isWorking: false, question: undefined, retryAt: undefined };
const finished = { midTurn: false, finalError: undefined, continuedAt: now - 5_000 } as const;
const unfinished = { ...finished, midTurn: true } as const;
const atLimit = { ...finished, finalError: { kind: "limit", resetsAt: reset } } as const;
const tooLong = { ...finished, finalError: { kind: "too-long", maximum: 200_000 } } as const;

const nothing: HostedSignals = {
  hasEnded: false,
  status: undefined,
  wait: undefined,
  turnEndedAt: undefined,
  transcript: undefined,
  screen: quietScreen,
};

const working: HostedState = { kind: "working" };
const idle: HostedState = { kind: "idle", background: false };
const asks = (about: "permission" | "question"): HostedState => ({ kind: "asking", about });
const limit = (until: number | null, held: "typing" | null = null): HostedState => ({ kind: "limit", until, held });

test.each<[what: string, signals: Partial<HostedSignals>, state: HostedState]>([
  // Clients that report their status.
  ["the program has ended", { hasEnded: true, status: "busy" }, { kind: "ended" }],
  ["Claude says busy", { status: "busy" }, working],
  [
    "Claude says busy while the transcript still ends with an old limit",
    { status: "busy", transcript: atLimit },
    working,
  ],
  ["Claude says idle", { status: "idle", transcript: finished }, idle],
  ["Claude says idle while its transcript is behind", { status: "idle", transcript: unfinished }, idle],
  [
    "Claude says idle while an old answer on the screen looks like work",
    { status: "idle", screen: { ...quietScreen, isWorking: true } },
    idle,
  ],
  ["Claude asks for a permission", { status: "permission", transcript: unfinished }, asks("permission")],
  ["Claude asks a question", { status: "question", transcript: unfinished }, asks("question")],
  [
    "2.1.197 calls a question a permission",
    { status: "permission", screen: { ...quietScreen, question: "question" } },
    asks("question"),
  ],
  ["tasks run in the background", { status: "shell", transcript: finished }, { kind: "idle", background: true }],
  ["the user has opened a menu", { status: "dialog", transcript: finished }, idle],
  ["a limit opened the menu", { status: "dialog", transcript: atLimit }, limit(reset)],
  ["Claude is idle at a limit", { status: "idle", transcript: atLimit }, limit(reset)],
  [
    "the limit states no reset",
    { status: "idle", transcript: { ...atLimit, finalError: { kind: "limit", resetsAt: undefined } } },
    limit(null),
  ],
  [
    "the host waits for the limit",
    { status: "idle", transcript: atLimit, wait: { until: reset + 1, held: null } },
    limit(reset + 1),
  ],
  [
    "the host does not continue",
    { status: "idle", transcript: atLimit, wait: { until: null, held: "typing" } },
    limit(null, "typing"),
  ],
  [
    "Claude waits for the limit inside its process",
    { status: "busy", screen: { ...quietScreen, isWorking: true, retryAt: reset } },
    limit(reset),
  ],
  [
    "an old countdown is on the screen of an idle Claude",
    { status: "idle", screen: { ...quietScreen, retryAt: reset } },
    idle,
  ],
  ["the conversation no longer fits", { status: "idle", transcript: tooLong }, { kind: "context-full" }],
  ["Claude compacts after that", { status: "busy", transcript: tooLong }, working],
  [
    "the turn ended with another error",
    { status: "idle", transcript: { ...finished, finalError: { kind: "server" } } },
    idle,
  ],
  // Older clients.
  ["nothing is known yet", {}, idle],
  ["a prompt has no answer yet", { transcript: unfinished }, working],
  ["the turn is unfinished since before this start", { transcript: { ...unfinished, continuedAt: undefined } }, idle],
  ["a hook reported the end of that turn", { transcript: unfinished, turnEndedAt: now }, idle],
  ["a hook reported the end of an earlier turn", { transcript: unfinished, turnEndedAt: now - 9_000 }, working],
  ["the turn has an answer", { transcript: finished, turnEndedAt: now }, idle],
  ["more follows after an answer", { transcript: finished, screen: { ...quietScreen, isWorking: true } }, working],
  [
    "the screen asks for a permission",
    { transcript: unfinished, screen: { ...quietScreen, question: "permission" } },
    asks("permission"),
  ],
  [
    "the screen asks a question",
    { transcript: unfinished, screen: { ...quietScreen, question: "question" } },
    asks("question"),
  ],
  [
    "an earlier question is on the screen",
    { transcript: finished, screen: { ...quietScreen, question: "permission" } },
    idle,
  ],
  [
    "Claude asks whether it may work in the directory",
    { screen: { ...quietScreen, question: "permission" } },
    asks("permission"),
  ],
  ["an older client is at a limit", { transcript: atLimit }, limit(reset)],
  ["an older client's conversation no longer fits", { transcript: tooLong }, { kind: "context-full" }],
])("%s", (_, signals, state) => {
  expect(decideHostedState({ ...nothing, ...signals })).toEqual(state);
});

test.each<[a: HostedState, b: HostedState, same: boolean]>([
  [working, working, true],
  [working, idle, false],
  [asks("permission"), asks("question"), false],
  [idle, { kind: "idle", background: true }, false],
  [limit(reset), limit(reset + 60_000), true],
  [limit(reset), limit(reset + 600_000), false],
  [limit(reset), limit(null), false],
  [limit(null), limit(null, "typing"), false],
])("%j and %j are the same state: %p", (a, b, same) => {
  expect(isSameState(a, b)).toBe(same);
});

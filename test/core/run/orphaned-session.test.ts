import { expect, test } from "bun:test";
import {
  judgeOrphan,
  type OrphanEvidence,
  type OrphanState,
  maxOrphanAgeMs,
} from "../../../src/core/run/orphaned-session.ts";

const killedAtWork: OrphanEvidence = {
  kind: "headless",
  isRunning: false,
  isOpen: false,
  isContinued: false,
  endReason: null,
  hasPrompt: true,
  hasConversation: true,
  isAtWork: true,
  age: 1_000,
};
const idle = { kind: "interactive", isAtWork: false } as const;
const silent = { hasConversation: false } as const;

const vectors: [what: string, change: Partial<OrphanEvidence>, state: OrphanState][] = [
  ["was killed at work", {}, "work"],
  ["was killed at work in a terminal", { kind: "interactive" }, "work"],
  ["was killed at the prompt of a terminal", idle, "idle"],
  ["has a claude that still runs", { isRunning: true, age: 2 * maxOrphanAgeMs }, "running"],
  ["another process has open", { isOpen: true, endReason: "left" }, "open"],
  ["was continued by a host", { isContinued: true }, "over"],
  ["was left by the user", { kind: "interactive", endReason: "left" }, "over"],
  ["has a claude -p that ended after its answer", { endReason: "other", isAtWork: false }, "over"],
  ["has a claude -p that ended at work", { endReason: "other" }, "work"],
  ["may have printed its answer, which the script did not receive", { isAtWork: false }, "work"],
  ["lost its terminal", { kind: "interactive", endReason: "other" }, "work"],
  ["died before the conversation began", silent, "work"],
  ["died before the conversation began, with a prompt from a pipe", { ...silent, hasPrompt: false }, "lost"],
  ["had nothing said in its terminal", { ...idle, ...silent, hasPrompt: false }, "over"],
  ["is older than Claude keeps a transcript", { age: maxOrphanAgeMs + 1 }, "lost"],
];

test.each(vectors)("a session that %s", (_, change, state) => {
  expect(judgeOrphan({ ...killedAtWork, ...change })).toBe(state);
});

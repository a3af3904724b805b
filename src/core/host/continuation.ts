import type { Settings } from "../settings.ts";
import { isQuiet, quietUntil } from "./quiet-hours.ts";

/** What the screen of a hosted Claude shows where the host would type. */
export type PromptState =
  /** The prompt is empty. */
  | "empty"
  /** The prompt holds exactly the host's text. */
  | "ours"
  /** The prompt holds other text. */
  | "typed"
  /** A menu would swallow typed text; Escape closes it. */
  | "menu"
  | "unknown";

export type ContinuationSettings = Pick<Settings, "typeContinuation" | "quietHours" | "continueAfterSeconds">;

/** What the host has done so far to continue after one limit. */
export interface Typing {
  /** The last key or text that it wrote, and how long ago. */
  readonly last: "nothing" | "escape" | "text" | "send" | "clear";
  readonly sinceMs: number;
  /** How often it has pressed Escape, and entered its text. */
  readonly escapes: number;
  readonly texts: number;
  /** How often it has removed a row of its text. */
  readonly clears: number;
  /** How often it has pressed Enter since it entered the text. */
  readonly sends: number;
  /** The user has typed since the host last entered its text. */
  readonly isDisturbed: boolean;
}

export const nothingTyped: Typing = {
  last: "nothing",
  sinceMs: 0,
  escapes: 0,
  texts: 0,
  clears: 0,
  sends: 0,
  isDisturbed: false,
};

/** What the host writes: a key, or its text. */
export type Key = Exclude<Typing["last"], "nothing">;

/** What the host has done after it wrote this too. */
export function recordKey(before: Typing, key: Key): Typing {
  const counted = { ...before, last: key, sinceMs: 0 };
  switch (key) {
    case "escape":
      return { ...counted, escapes: before.escapes + 1 };
    case "text":
      return { ...counted, texts: before.texts + 1, sends: 0, isDisturbed: false };
    case "send":
      return { ...counted, sends: before.sends + 1 };
    case "clear":
      return { ...counted, clears: before.clears + 1 };
  }
}

/** The conversation still ends with the limit's error: no prompt has arrived in the transcript. */
export interface Situation {
  readonly now: number;
  /** Minutes since midnight, local time. */
  readonly minuteOfDay: number;
  readonly resetsAt: number;
  /** How long after the reset this claude may still continue on its own; 0 when it never does. */
  readonly mayContinueForMs: number;
  /** The user has canceled Claude's own continuation. */
  readonly isCanceled: boolean;
  readonly screen: PromptState;
  /** The user has pressed keys since the last Enter. */
  readonly halfTyped: boolean;
  /** Milliseconds since the last output or input. */
  readonly idleMs: number;
  readonly typing: Typing;
}

/** Why the host does not type although the limit has reset. */
export type HoldCause = "canceled" | "typing" | "no-prompt" | "gave-up";

export type Continuation =
  /** Write this, and decide again soon. */
  | { readonly kind: Key }
  /** Decide again at this time. */
  | { readonly kind: "wait"; readonly until: number }
  /** Decide again at this time, or when the screen or the transcript changes. */
  | { readonly kind: "hold"; readonly cause: HoldCause; readonly until: number | null }
  /** The setting is off. */
  | { readonly kind: "leave" };

/** The clocks of the API and of this machine may differ by a moment. */
const minDelayMs = 1_000;
/** Until then the user may be typing, or claude may be painting its screen. */
const minIdleMs = 3_000;
/** Pressed keys without text at the prompt count this long: they may have been commands, or deleted text. */
const invisibleKeysMs = 60_000;
/** A screen without a prompt is looked at again after this time, even when it does not change. */
const lookAgainMs = 30_000;
const maxTries = 3;
/** A narrow terminal shows the text in several rows. */
const maxClears = 10;

/**
 * What the host expects to see after what it wrote: when the screen shows it, the next step follows after the first time, otherwise
 * after the second one. Claude writes an accepted prompt into its transcript within the last time, even on a busy machine.
 */
const settling: Record<
  Typing["last"],
  { readonly screen: readonly PromptState[]; readonly ms: number; readonly elseMs: number }
> = {
  nothing: { screen: [], ms: 0, elseMs: 0 },
  escape: { screen: ["empty"], ms: 1_000, elseMs: 5_000 },
  text: { screen: ["ours"], ms: 300, elseMs: 10_000 },
  clear: { screen: ["empty", "typed"], ms: 500, elseMs: 5_000 },
  // Still there: Enter was lost.
  send: { screen: ["ours"], ms: 3_000, elseMs: 20_000 },
};

/** Decides the next step to continue after a limit, one key at a time: each is verified before the next. In doubt it types nothing. */
export function decideContinuation(settings: ContinuationSettings, situation: Situation): Continuation {
  const { now, minuteOfDay, resetsAt, typing } = situation;
  if (!settings.typeContinuation) return { kind: "leave" };
  if (situation.isCanceled) return { kind: "hold", cause: "canceled", until: null };
  const usualDelayMs = Math.max(situation.mayContinueForMs, minDelayMs);
  const { continueAfterSeconds } = settings;
  const due = resetsAt + (continueAfterSeconds === undefined ? usualDelayMs : 1_000 * continueAfterSeconds);
  if (now < due) return { kind: "wait", until: due };
  if (settings.quietHours && isQuiet(settings.quietHours, minuteOfDay)) {
    return { kind: "wait", until: now + quietUntil(settings.quietHours, minuteOfDay) };
  }
  const { screen, ms, elseMs } = settling[typing.last];
  const settledAt = now + (screen.includes(situation.screen) ? ms : elseMs) - typing.sinceMs;
  return now < settledAt ? { kind: "wait", until: settledAt } : decideKey(situation);
}

function decideKey({ now, screen, halfTyped, idleMs, typing }: Situation): Continuation {
  const untilIdle = (neededMs: number): number => now + neededMs - idleMs;
  const whenIdle = (kind: "escape" | "text", tries: number): Continuation => {
    if (tries >= maxTries) return { kind: "hold", cause: "gave-up", until: null };
    return idleMs < minIdleMs ? { kind: "wait", until: untilIdle(minIdleMs) } : { kind };
  };
  switch (screen) {
    case "ours":
      // Without a text of the host the user has typed the same words.
      if (typing.texts === 0) return { kind: "hold", cause: "typing", until: null };
      return typing.sends >= maxTries ? { kind: "hold", cause: "gave-up", until: null } : { kind: "send" };
    case "typed":
      // The prompt was empty when the host entered its text. Without a key of the user, what it shows now is the host's.
      if (["text", "clear"].includes(typing.last) && !typing.isDisturbed && typing.clears < maxClears) {
        return { kind: "clear" };
      }
      return { kind: "hold", cause: "typing", until: null };
    case "menu":
      return whenIdle("escape", typing.escapes);
    case "empty":
      // A user who has just typed is present and continues without help.
      if (halfTyped && idleMs < invisibleKeysMs) {
        return { kind: "hold", cause: "typing", until: untilIdle(invisibleKeysMs) };
      }
      return whenIdle("text", typing.texts);
    case "unknown":
      return { kind: "hold", cause: "no-prompt", until: now + lookAgainMs };
  }
}

/** One line, because Enter sends it. */
export const continuationText =
  "The usage limit has reset. Continue the task where it stopped; do not repeat what is done already.";

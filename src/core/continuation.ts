import { isQuiet, type QuietHours, quietUntil } from "./quiet-hours.ts";

/** What is on the screen of a hosted Claude, as far as it matters for typing into it. */
export type PromptState =
  /** An empty line to type on. */
  | "empty"
  /** Somebody's words are on it. */
  | "typed"
  /** Questions that would swallow what is typed; Escape leaves them. */
  | "menu"
  /** Claude says that it waits by itself; Escape ends that. */
  | "waiting"
  | "unknown";

export interface ContinuationSettings {
  readonly isOn: boolean;
  readonly quietHours: QuietHours | undefined;
  /** Milliseconds after the reset; undefined goes by what the client can do. */
  readonly after: number | undefined;
}

export interface Situation {
  readonly now: number;
  /** Minutes since midnight, by the clock on the wall. */
  readonly minuteOfDay: number;
  readonly resetsAt: number;
  /** This client goes on by itself, one to two minutes after the reset; undefined when its version is not known. */
  readonly continuesItself: boolean | undefined;
  readonly screen: PromptState;
  /** Keys since the last Enter. */
  readonly halfTyped: boolean;
  /** Milliseconds since anything was written or typed. */
  readonly stillFor: number;
  /** We have typed for this limit already. */
  readonly isDone: boolean;
}

export type Continuation =
  | { readonly kind: "type"; readonly escapeFirst: boolean }
  /** Look again then. */
  | { readonly kind: "wait"; readonly until: number }
  /** Look again when something has changed. */
  | { readonly kind: "leave" };

/** What the client does by itself was seen to take 80 to 110 seconds. */
const afterItsOwn = 180_000;
const afterOthers = 15_000;
/** A person who is typing, or a screen that is being painted. */
const stillEnough = 3_000;

/** Whether it is time to type for the user that the limit has reset. When in doubt, it is not. */
export function decideContinuation(settings: ContinuationSettings, situation: Situation): Continuation {
  const { now, minuteOfDay, resetsAt, screen, halfTyped, stillFor, isDone } = situation;
  if (!settings.isOn || isDone) return { kind: "leave" };
  const usual = situation.continuesItself === false ? afterOthers : afterItsOwn;
  const due = resetsAt + (settings.after ?? usual);
  if (now < due) return { kind: "wait", until: due };
  if (settings.quietHours && isQuiet(settings.quietHours, minuteOfDay)) {
    return { kind: "wait", until: now + quietUntil(settings.quietHours, minuteOfDay) };
  }
  // Whoever has begun a sentence is there, and goes on by himself.
  if (halfTyped || screen === "typed" || screen === "unknown") return { kind: "leave" };
  if (stillFor < stillEnough) return { kind: "wait", until: now + stillEnough - stillFor };
  return { kind: "type", escapeFirst: screen !== "empty" };
}

/** What is typed. One line: Enter sends it. */
export const continuationText =
  "The usage limit has reset. Continue the task where it stopped; do not repeat what is done already.";

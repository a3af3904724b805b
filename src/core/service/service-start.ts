import { formatDuration } from "../duration.ts";

/** The newest usable conversation of a workspace. */
export type PriorConversation =
  | { readonly kind: "none" }
  /** Every conversation is open in a running claude. */
  | { readonly kind: "held"; readonly sessionId: string }
  | {
      readonly kind: "found";
      readonly sessionId: string;
      /** Milliseconds since its last message. */
      readonly age: number;
      readonly state: "empty" | "damaged" | "whole" | "repaired";
      /** Claude was working, or a temporary error stopped it: it needs a prompt to continue. */
      readonly interrupted: boolean;
      /** `claude --continue` would choose it. False when a newer one is empty or open in another claude. */
      readonly isNewest: boolean;
    };

export type ServiceStart =
  | {
      readonly kind: "continue";
      readonly sessionId: string;
      readonly how: "--continue" | "--resume";
      /** The start needs a prompt that tells Claude to continue its work. */
      readonly tellToContinue: boolean;
      readonly why: string;
    }
  | { readonly kind: "plain"; readonly why: string };

/** Decides whether a service continues its last conversation. `why` goes to the service's log. */
export function decideStart(prior: PriorConversation, freshAfter: number): ServiceStart {
  if (prior.kind === "none") return plain("this workspace has no conversation yet");
  if (prior.kind === "held") return plain(`conversation ${prior.sessionId} is open in another claude`);
  const { sessionId, age, state, interrupted, isNewest } = prior;
  if (state === "empty") return plain(`conversation ${sessionId} is empty`);
  if (state === "damaged") return plain(`conversation ${sessionId} is damaged and cannot be repaired`);
  if (age > freshAfter) {
    return plain(`conversation ${sessionId} is ${formatDuration(age)} old, more than ${formatDuration(freshAfter)}`);
  }
  const repaired = state === "repaired" ? "; it was damaged and has been repaired" : "";
  const pending = interrupted ? "; Claude was interrupted and is prompted to continue" : "";
  const other = isNewest ? "" : "; a newer one is empty or open in another claude";
  return {
    kind: "continue",
    sessionId,
    how: isNewest ? "--continue" : "--resume",
    tellToContinue: interrupted,
    why: `continuing conversation ${sessionId}${repaired}${pending}${other}`,
  };
}

const plain = (why: string): ServiceStart => ({ kind: "plain", why });

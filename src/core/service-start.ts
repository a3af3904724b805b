/** The newest conversation of a workspace, as it was found; none when nobody ever spoke to Claude there. */
export type PriorConversation =
  | { readonly kind: "none" }
  /** There are some, and running claudes have them all. */
  | { readonly kind: "held"; readonly sessionId: string }
  | {
      readonly kind: "found";
      readonly sessionId: string;
      /** Milliseconds since anything was said in it. */
      readonly age: number;
      readonly state: "empty" | "damaged" | "whole" | "repaired";
      /** Claude was at work, or an error that has passed broke it off: somebody must say that it goes on. */
      readonly interrupted: boolean;
      /** Claude's own choice for `--continue`; false when there is a newer one that is empty, or that another claude holds. */
      readonly isNewest: boolean;
    };

export type ServiceStart =
  | {
      readonly kind: "continue";
      readonly sessionId: string;
      readonly how: "--continue" | "--resume";
      readonly tellToGoOn: boolean;
      readonly why: string;
    }
  | { readonly kind: "plain"; readonly why: string };

/** Whether a service goes on with the conversation that is there. The reason goes to its log. */
export function decideStart(prior: PriorConversation, freshAfter: number): ServiceStart {
  if (prior.kind === "none") return plain("there is no conversation of this workspace yet");
  if (prior.kind === "held") return plain(`conversation ${prior.sessionId} is held by another claude`);
  const { sessionId, age, state, interrupted, isNewest } = prior;
  if (state === "empty") return plain(`conversation ${sessionId} is empty`);
  if (state === "damaged") return plain(`conversation ${sessionId} is damaged and cannot be repaired`);
  if (age > freshAfter) {
    return plain(`conversation ${sessionId} is ${days(age)} old, and ${days(freshAfter)} is the most`);
  }
  const repaired = state === "repaired" ? "; it was damaged and is repaired" : "";
  const pending = interrupted ? "; Claude was at work and is told to go on" : "";
  const other = isNewest ? "" : "; a newer one is empty, or held by another claude";
  return {
    kind: "continue",
    sessionId,
    how: isNewest ? "--continue" : "--resume",
    tellToGoOn: interrupted,
    why: `conversation ${sessionId} is there${repaired}${pending}${other}`,
  };
}

const plain = (why: string): ServiceStart => ({ kind: "plain", why });

const days = (milliseconds: number): string => {
  const count = Number((milliseconds / 86_400_000).toFixed(1));
  return `${count} day${count === 1 ? "" : "s"}`;
};

import type { ErrorFacts } from "../limits/api-error.ts";
import type { StreamResult } from "./stream.ts";

/** What the reason that Claude gives for its end means for the task. */
export type StopMeaning =
  /** Claude said everything. */
  | "finished"
  /** It stopped in the middle: a resume continues. */
  | "unfinished"
  /** A hook of the user ended the turn. */
  | "hook"
  /** A hook of the user left the decision about a tool call to the caller. */
  | "deferred"
  /** The model refused. The same request would be refused again. */
  | "refusal"
  /** The context is full. */
  | "overload"
  | "turns"
  | "budget"
  /** The error itself tells more. */
  | "failure";

/** `terminal_reason` of a result, since 2.1.112: how the client ended the turn. Up to 2.1.197 an error says "completed" too. */
const terminalReasons: ReadonlyMap<string, StopMeaning> = new Map<string, StopMeaning>([
  ["completed", "finished"],
  ["hook_stopped", "hook"],
  // The Stop hooks run after the last answer.
  ["stop_hook_prevented", "finished"],
  ["tool_deferred", "deferred"],
  ["tool_deferred_unavailable", "deferred"],
  ["max_turns", "turns"],
  ["budget_exhausted", "budget"],
  ["prompt_too_long", "overload"],
  ["blocking_limit", "overload"],
  ["rapid_refill_breaker", "overload"],
  ["malformed_tool_use_exhausted", "unfinished"],
  ["structured_output_retry_exhausted", "unfinished"],
  ["aborted_streaming", "unfinished"],
  ["aborted_tools", "unfinished"],
  ["background_requested", "unfinished"],
  ["api_error", "failure"],
  ["image_error", "failure"],
  ["model_error", "failure"],
  ["turn_setup_failed", "failure"],
]);

/** `stop_reason` of a result: why the API ended the last answer. Null before 2.1.112. */
const stopReasons: ReadonlyMap<string, StopMeaning> = new Map<string, StopMeaning>([
  ["end_turn", "finished"],
  ["stop_sequence", "finished"],
  ["tool_use", "unfinished"],
  ["pause_turn", "unfinished"],
  ["max_tokens", "unfinished"],
  ["refusal", "refusal"],
  ["tool_deferred", "deferred"],
  ["model_context_window_exceeded", "overload"],
]);

const subtypes: ReadonlyMap<string, StopMeaning> = new Map<string, StopMeaning>([
  ["error_max_turns", "turns"],
  ["error_max_budget_usd", "budget"],
]);

/** The client's own errors about an answer of the model. */
const errorTexts: readonly (readonly [RegExp, StopMeaning])[] = [
  [/^API Error: The model has reached its context window limit/, "overload"],
  [/^API Error: Claude's response exceeded the \d+ output token maximum/, "unfinished"],
  [/^The model's tool call could not be parsed/, "unfinished"],
  [/^API Error: Claude Code is unable to respond to this request/, "refusal"],
];

/** The only place that decides what Claude's reasons mean. An unknown one never means that the task is done. */
export function readStopMeaning(result: StreamResult, failure: ErrorFacts | undefined): StopMeaning {
  const { subtype, isError, terminalReason = "completed", stopReason = "end_turn", hasAnswer } = result;
  const ofSubtype = subtypes.get(subtype);
  if (ofSubtype) return ofSubtype;
  if (isError) return ofError(result, failure) ?? errorOf(terminalReasons.get(terminalReason));
  const ofTerminal = terminalReasons.get(terminalReason) ?? "unfinished";
  if (ofTerminal !== "finished") return ofTerminal === "failure" ? "unfinished" : ofTerminal;
  const ofStop = stopReasons.get(stopReason) ?? "unfinished";
  return ofStop === "finished" && !hasAnswer ? "unfinished" : ofStop;
}

/** "completed" does not make an error a success. */
const errorOf = (meaning: StopMeaning | undefined): StopMeaning =>
  meaning === undefined || meaning === "finished" ? "failure" : meaning;

/** The last message of a failed turn is the client's own, so `stop_reason` is rarely that of the model. */
function ofError({ stopReason, text }: StreamResult, failure: ErrorFacts | undefined): StopMeaning | undefined {
  if (stopReason === "refusal") return "refusal";
  return errorTexts.find(([pattern]) => pattern.test(failure?.text ?? text ?? ""))?.[1];
}

/** Claude's reason in one line, for the user and the log. */
export function describeStop(result: StreamResult, failure: ErrorFacts | undefined): string | undefined {
  const { terminalReason, stopReason, isError, text, hasAnswer } = result;
  if (isError) return failure?.text ?? text;
  if (terminalReason !== undefined && terminalReason !== "completed") return `terminal_reason ${terminalReason}`;
  if (stopReason !== undefined && stopReasons.get(stopReason) !== "finished") return `stop_reason ${stopReason}`;
  return hasAnswer ? undefined : "without an answer";
}

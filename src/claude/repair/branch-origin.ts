import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { isInterruption } from "../transcript/user-text.ts";

/** What wrote two branches: one process, as with /rewind, or two. */
export type BranchOrigin = "one-process" | "two-processes" | "unknown";

/**
 * Judges two branches by their first records. `isByTwoProcesses`: their order in the file already shows it. Otherwise the left
 * branch was complete when the other began. So a /rewind looks, and also a process that was idle while another one wrote.
 * Recent clients count the prompts of a process (`turnPosition`, seen in 2.1.326) and name the interface (`entrypoint`, since
 * 2.1.197 at the latest), which tells some of these apart.
 */
export function judgeBranches(left: string, seen: string, isByTwoProcesses: boolean): BranchOrigin {
  const [one, other] = [parseObject(left), parseObject(seen)];
  // The client writes this prompt beside an answer that it cut off.
  if ([one, other].some((record) => record && isInterruption(record))) return "one-process";
  if (isByTwoProcesses) return "two-processes";
  if (!one || !other) return "unknown";
  const [interfaceBefore, interfaceAfter] = [asText(one["entrypoint"]), asText(other["entrypoint"])];
  if (interfaceBefore !== undefined && interfaceAfter !== undefined && interfaceBefore !== interfaceAfter)
    return "two-processes";
  const [before, after] = [promptIndex(one), promptIndex(other)];
  if (before === undefined || after === undefined || after === 1) return "unknown";
  // The left branch starts with the first prompt of a process, the other one with a later prompt of an older process.
  return before === 1 ? "two-processes" : "one-process";
}

function promptIndex(prompt: JsonObject): number | undefined {
  const index = asObject(prompt["turnPosition"])?.["promptIndex"];
  return typeof index === "number" ? index : undefined;
}

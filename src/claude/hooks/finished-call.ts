import type { RawStep } from "../../core/restart/tool-step.ts";
import { asObject, asText } from "../json-object.ts";
import { toolSubject } from "../stream/tool-subject.ts";
import type { HookPayload } from "./hook-payload.ts";

/** The tool call that a hook reports as finished, or as started in the background; undefined for other events, and for calls of a subagent. */
export function readFinishedCall({ handling, agentId, fields }: HookPayload): RawStep | undefined {
  const id = asText(fields["tool_use_id"]);
  const tool = asText(fields["tool_name"]);
  if (handling.finishes === undefined || agentId !== undefined || id === undefined || tool === undefined)
    return undefined;
  const failed = handling.finishes === "failed";
  const output = failed ? asText(fields["error"]) : outputText(fields["tool_response"]);
  const isStarted = !failed && runsOn(fields["tool_input"], fields["tool_response"]);
  const about = aboutCall(fields["tool_input"]);
  return { id, tool, about, state: isStarted ? "started" : handling.finishes, output: isStarted ? "" : (output ?? "") };
}

/** Whether a command or a subagent runs on in the background after its tool call: it ends with Claude Code, finished or not. */
export function runsOn(input: unknown, response: unknown): boolean {
  const fields = asObject(response);
  if (asObject(input)?.["run_in_background"] === true || fields?.["isAsync"] === true) return true;
  return typeof fields?.["backgroundTaskId"] === "string";
}

/** What a tool call is about, from its input. */
export function aboutCall(input: unknown): string {
  const fields = asObject(input) ?? {};
  return toolSubject(fields) ?? (Object.keys(fields).length === 0 ? "" : JSON.stringify(fields));
}

/** The text of a tool's response, whose form differs by tool. */
export function outputText(response: unknown): string {
  if (typeof response === "string") return response;
  const fields = asObject(response);
  if (typeof fields?.["stdout"] === "string") return [fields["stdout"], asText(fields["stderr"]) ?? ""].join("\n");
  return response === undefined || response === null ? "" : JSON.stringify(response);
}

import { type Check, has, isText, isTime } from "../../core/check-record.ts";
import { makeStep, type ToolStep } from "../../core/restart/tool-step.ts";
import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** In the order in which they were written. Skips what is not a whole record. */
export function readSteps(paths: SnapshotPaths, sessionId: string): ToolStep[] {
  return [paths.olderSteps(sessionId), paths.steps(sessionId)]
    .flatMap((path) => (readText(path) ?? "").split("\n"))
    .flatMap((line) => parse(line) ?? []);
}

function parse(line: string): ToolStep | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (!isStep(value)) return undefined;
    const step = value as ToolStep;
    // Other programs can write the file: a text of several lines would look like ours in a prompt.
    return makeStep(step, step.time);
  } catch {
    return undefined;
  }
}

const isStep = has({
  id: isText,
  tool: isText,
  about: isText,
  state: (value) => value === "started" || value === "completed" || value === "failed",
  time: isTime,
  output: isText,
} satisfies Record<keyof ToolStep, Check>);

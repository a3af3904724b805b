import type { ToolStep } from "../../core/restart/tool-step.ts";
import { appendLineIfExists } from "../../io/durable/append-line.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

// `steps/{sessionId}.jsonl`: the tool calls of a session, for the case that the transcript loses them. The hook appends after every
// tool call, so this loads nothing else until the file must be created or has become too large.

const maxHalfBytes = 64_000;

export async function appendStep(paths: SnapshotPaths, sessionId: string, step: ToolStep): Promise<void> {
  // An empty line before each record, so that a record cut by a power cut spoils no other.
  const line = `\n${JSON.stringify(step)}`;
  const size = appendLineIfExists(paths.steps(sessionId), line);
  if (size === undefined) (await import("./step-halves.ts")).beginSteps(paths, sessionId, line);
  else if (size > maxHalfBytes) (await import("./step-halves.ts")).startNextHalf(paths, sessionId, maxHalfBytes);
}

import { makeStep, type RawStep } from "../../core/restart/tool-step.ts";
import { appendStep } from "../../store/session-notes/append-step.ts";
import type { Environment } from "../environment.ts";

/** Keeps a tool call durably, so that it is known even when the transcript loses it. */
export function recordStep({ paths, now }: Environment, sessionId: string, step: RawStep): Promise<void> {
  return appendStep(paths, sessionId, makeStep(step, now()));
}

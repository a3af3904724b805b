import { restartArguments, startArguments } from "../../claude/argv/restart-arguments.ts";
import { Failure } from "../../core/failure.ts";
import { contextMessage, promptWithLostWork } from "../../core/restart/context-message.ts";
import type { LostWork } from "../../core/restart/lost-work.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import type { Environment } from "../environment.ts";
import { bringBack } from "../resume/bring-back.ts";
import { lostWork } from "../resume/lost-work.ts";
import { environmentOfRun } from "../run-records/register-run.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { type HostStart, startHost } from "./registry.ts";

/** Starts a host for a session that a cclaude left without one: with the same flags and in the same conversation. */
export async function hostLeftSession(outside: Environment, run: RunRecord): Promise<void> {
  const environment = environmentOfRun(outside, run);
  const { id, cwd, sessionId } = run.plan;
  if (sessionId === "") throw new Failure("not-found", `there is no record of how ${id} was started`);
  const hasConversation = (await bringBack(environment, sessionId)) !== "absent";
  const lost = lostWork(environment, sessionId);
  const words = hasConversation ? again(environment, run, lost) : anew(run, lost);
  const hosting: HostStart = {
    id,
    command: [process.execPath, ...words],
    name: "cclaude",
    directory: cwd,
    sessionId,
    run: null,
  };
  await startHost(environment, hosting);
}

/** At the prompt Claude had nothing to do: the user continues, and a message would only cost. */
export function isAtPrompt(environment: Environment, transcriptPath: string | undefined): boolean {
  const ending = transcriptPath === undefined ? undefined : readTranscriptEnding(environment, transcriptPath);
  return ending !== undefined && !ending.midTurn && ending.finalError === undefined;
}

function again(environment: Environment, { plan: { flags, sessionId } }: RunRecord, lost: LostWork): string[] {
  const isIdle = isAtPrompt(environment, findTranscript(environment, sessionId));
  const prompt = isIdle ? undefined : contextMessage("interrupted", undefined, undefined, lost);
  return restartArguments(flags, { id: sessionId, prompt });
}

function anew({ plan: { flags, sessionId, task } }: RunRecord, lost: LostWork): string[] {
  const prompt = promptWithLostWork(task || undefined, lost);
  return prompt === "" ? ["--session-id", sessionId, ...flags] : startArguments(flags, { id: sessionId, prompt });
}

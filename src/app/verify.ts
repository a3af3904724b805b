import { type Defect, isDamage } from "../claude/defect.ts";
import type { Findings } from "../claude/verify-transcript.ts";
import { fileFacts } from "../io/read-file.ts";
import { listTranscripts, type TranscriptTarget } from "./choose-transcript.ts";
import type { Environment } from "./environment.ts";
import { inspectTranscript } from "./inspect-transcript.ts";

export type { Defect };

export interface VerifyReport extends Findings {
  path: string;
  sessionId: string | undefined;
  /** Every damage can be repaired; false too when there is none. */
  repairable: boolean;
}

/** Checks a transcript, and that it still has what its snapshot has. Changes nothing. */
export function verifyTranscript(environment: Environment, target: TranscriptTarget): VerifyReport {
  return inspectTranscript(environment, target, { forRepair: false }, ({ findings }) => reportOf(target, findings));
}

/** Every transcript that Claude has, one after the other; those that vanish meanwhile are left out. */
export function* verifyAll(environment: Environment): Generator<VerifyReport> {
  for (const [sessionId, path] of listTranscripts(environment)) {
    if (fileFacts(path)) yield verifyTranscript(environment, { path, sessionId, isOwn: true });
  }
}

export function reportOf({ path, sessionId }: TranscriptTarget, findings: Findings): VerifyReport {
  const damage = findings.defects.filter(isDamage);
  const repairable = damage.length > 0 && damage.every(({ repair }) => repair !== null);
  return { path, sessionId, ...findings, repairable };
}

import { type Defect, isDamage } from "../../claude/repair/defect.ts";
import type { TranscriptTarget } from "../session/choose-transcript.ts";
import type { Environment } from "../environment.ts";
import { repairTranscript } from "./repair.ts";
import { type VerifyReport, verifyTranscript } from "./verify.ts";

/** What a resume finds: nothing to resume, damage that no snapshot repairs, or a transcript that is (now) whole. */
export type ResumeCondition = "empty" | "damaged" | "whole" | "repaired";

/** A hook of the claude that died may still hold the lock, for long on a slow disk. */
const lockTimeoutMs = 30_000;

/** Repairs a transcript where that is safe. The one place that decides what is safe before a resume. */
export async function repairBeforeResume(environment: Environment, target: TranscriptTarget): Promise<ResumeCondition> {
  const condition = judge(verifyTranscript(environment, target));
  if (condition !== "repairable") return condition;
  await repairTranscript(environment, { target, force: false, dryRun: false, lockTimeoutMs });
  return "repaired";
}

/** No conversation is in the file: no bytes, or only bookkeeping. */
export const reportsNoConversation = (defects: readonly Defect[]): boolean =>
  defects.some(({ kind }) => kind === "empty-file" || kind === "stub-file");

function judge({ damaged, repairable, defects }: VerifyReport): "empty" | "damaged" | "whole" | "repairable" {
  if (!damaged) return "whole";
  const damage = defects.filter(isDamage);
  const isEmpty = reportsNoConversation(damage);
  if (!repairable) return isEmpty ? "empty" : "damaged";
  // The user may have removed these records on purpose, so they stay out. Removing all of them is no such edit.
  return damage.some(({ kind }) => kind === "lost-records") && !isEmpty ? "whole" : "repairable";
}

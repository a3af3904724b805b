import type { RunRecord } from "../core/run-record.ts";
import { readBytes } from "../io/read-file.ts";
import { RunFiles } from "../store/run-files.ts";

/** Good to have: a log that cannot be written is no reason to end a run. */
export function appendRunLog({ plan }: RunRecord, text: string): void {
  try {
    new RunFiles(plan.directory).appendLog(text);
  } catch {
    // The journal and the registry have all that matters, and say so when they cannot be written.
  }
}

export function readRunLog({ plan }: RunRecord): string {
  return new TextDecoder().decode(readBytes(new RunFiles(plan.directory).log) ?? new Uint8Array());
}

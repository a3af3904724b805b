import { has, isText, isTexts, isTime, orNull } from "../../core/check-record.ts";
import type { DeadSubagent } from "../../core/restart/dead-subagent.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** A dead subagent, and when a message about it was last made for Claude: milliseconds since 1970, null when none was. */
export interface SubagentNote extends DeadSubagent {
  readonly toldAt: number | null;
}

const maxNotes = 50;

/** `subagents/{sessionId}.json`. Unreadable notes count as none: the transcripts still have everything. */
export function readSubagentNotes(paths: SnapshotPaths, sessionId: string): SubagentNote[] {
  try {
    const value: unknown = JSON.parse(readText(paths.subagentNotes(sessionId)) ?? "null");
    return isNotes(value) ? (value as { subagents: SubagentNote[] }).subagents : [];
  } catch {
    return [];
  }
}

export function writeSubagentNotes(paths: SnapshotPaths, sessionId: string, notes: readonly SubagentNote[]): void {
  makeDirectory(paths.subagentNotesDirectory);
  const newest = [...notes].sort((one, other) => one.time - other.time).slice(-maxNotes);
  replaceFile(paths.subagentNotes(sessionId), JSON.stringify({ version: 1, subagents: newest }));
}

const isNote = has({
  id: isText,
  type: orNull(isText),
  task: isText,
  death: (value) => value === "limit" || value === "api-error" || value === "killed",
  time: isTime,
  lastStep: orNull(isText),
  lastWords: orNull(isText),
  files: isTexts,
  transcript: isText,
  toldAt: orNull(isTime),
} satisfies Record<keyof SubagentNote, (value: unknown) => boolean>);

const isNotes = has({
  version: (value) => value === 1,
  subagents: (value) => Array.isArray(value) && value.every(isNote),
});

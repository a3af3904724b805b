import type { PlannedRecord, RepairPlan } from "../../claude/repair/repair-plan.ts";
import { changedBytes, isChanged } from "../../claude/repair/repaired-record.ts";
import { decodeLine, TranscriptReader } from "../../claude/transcript/transcript.ts";
import { TranscriptVerifier } from "../../claude/repair/verify-transcript.ts";
import { Failure } from "../../core/failure.ts";
import { byteTools } from "../../io/files/byte-tools.ts";
import { forEachChunk, type OpenFile, readRange, withFile } from "../../io/files/read-file.ts";

const newline = new Uint8Array([0x0a]);

/** The byte ranges of the repaired transcript; adjacent unchanged records are merged into one range. */
export function* partsOf(
  records: readonly PlannedRecord[],
  files: ReadonlyMap<number, OpenFile>,
): Generator<{ source: number | Uint8Array; from: number; to: number }> {
  for (let index = 0; index < records.length;) {
    const planned = records[index];
    const file = planned && files.get(planned.piece.source);
    if (!planned || !file) throw new Error("a planned record has no source");
    const { from, to } = planned.piece;
    if (isChanged(planned)) {
      const bytes = changedBytes(planned, readRange(file.fd, from, to));
      yield { source: bytes, from: 0, to: bytes.length };
      index++;
    } else {
      let last = index;
      while (follows(records[last], records[last + 1])) last++;
      yield { source: file.fd, from, to: records[last]?.piece.to ?? to };
      index = last + 1;
    }
    yield { source: newline, from: 0, to: 1 };
  }
}

/** The planned records as text, newest first. */
export function* plannedLines(
  records: readonly PlannedRecord[],
  files: ReadonlyMap<number, OpenFile>,
): Generator<string> {
  for (const planned of records.toReversed()) {
    const file = files.get(planned.piece.source);
    if (!file) throw new Error("a planned record has no source");
    const bytes = readRange(file.fd, planned.piece.from, planned.piece.to);
    yield decodeLine(isChanged(planned) ? changedBytes(planned, bytes) : bytes);
  }
}

/** True when `next` is unchanged and on the next line of the same file. */
function follows(one: PlannedRecord | undefined, next: PlannedRecord | undefined): boolean {
  if (!one || !next || isChanged(next) || one.piece.source !== next.piece.source) return false;
  return next.piece.line === one.piece.line + 1 && next.piece.from === one.piece.to + 1;
}

/** Throws unless the file is clean and contains every kept record byte for byte. */
export function checkStaged(path: string, plan: RepairPlan): void {
  const kept = new Set(plan.records.filter((planned) => !isChanged(planned)).map(({ piece }) => piece.hash));
  let records = 0;
  // Without the scanner every line is parsed; duplicates and branches do not matter here.
  const plain = { scanner: undefined, isSame: () => true, readRecord: () => undefined };
  const verifier = new TranscriptVerifier({ ...byteTools, ...plain, sessionId: undefined, isLive: false });
  const reader = new TranscriptReader(({ bytes }) => {
    kept.delete(byteTools.hash(bytes));
    records++;
  });
  withFile(path, (file) =>
    forEachChunk(file.fd, 0, file.size, (bytes) => {
      verifier.feed(bytes);
      reader.feed(bytes);
    }),
  );
  const { damaged, defects } = verifier.finish();
  const problem = damaged
    ? (defects.find(({ severity }) => severity === "damage")?.what ?? "damaged")
    : kept.size > 0
      ? `${kept.size} records are missing`
      : records === plan.records.length
        ? undefined
        : `${records} records instead of ${plan.records.length}`;
  if (problem !== undefined)
    throw new Failure("failed", `the repaired transcript failed its check (${problem}); nothing was changed`);
}

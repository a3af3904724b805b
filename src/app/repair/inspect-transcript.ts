import type { Defect } from "../../claude/repair/defect.ts";
import { planNote, planRepair, type Donor, type RepairPlan } from "../../claude/repair/repair-plan.ts";
import { compareWithSnapshot } from "../../claude/repair/snapshot-defects.ts";
import { findStaleEnd, maxSearchBytes } from "../../claude/repair/stale-end.ts";
import { type TranscriptPiece, PieceReader } from "../../claude/repair/transcript-piece.ts";
import type { Findings } from "../../claude/repair/verify-transcript.ts";
import { Failure } from "../../core/failure.ts";
import { byteTools } from "../../io/files/byte-tools.ts";
import { forEachChunk, type OpenFile, readRange, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { HashChain } from "../../store/packing/hash-chain.ts";
import { withPlainMirror } from "../../store/snapshots/mirror.ts";
import { type Generation, viewSession } from "../../store/snapshots/session-view.ts";
import type { TranscriptTarget } from "../session/choose-transcript.ts";
import type { Environment } from "../environment.ts";
import { findLiveClaude } from "../session/live-session.ts";
import { plannedLines } from "./repaired-file.ts";
import { readTranscript } from "./read-transcript.ts";

/** The facts about a transcript; valid while it and its copies are open. */
export interface Inspection {
  findings: Findings;
  /** Absent when the transcript is clean and matches its snapshot, or when the caller only verifies. */
  plan: RepairPlan | undefined;
  /** Hash of the whole file. */
  hash: string;
  /** Open files by the source number of a piece. */
  files: ReadonlyMap<number, OpenFile>;
}

/** Reads a clean transcript once; only a damaged transcript pays the cost of planning a repair. */
export function inspectTranscript<T>(
  environment: Environment,
  target: TranscriptTarget,
  { forRepair }: { forRepair: boolean },
  use: (inspection: Inspection) => T,
): T {
  const { sessionId } = target;
  const isLive = sessionId !== undefined && findLiveClaude(environment, sessionId, target.path) !== undefined;
  const generations = sessionId === undefined ? [] : copiesOf(environment, sessionId);
  const result = withFile(target.path, (file) => {
    const [newest] = generations;
    const read = readTranscript(environment, file, target, { isLive, prefixSize: newest?.size });
    const { hash, prefix } = read;
    // A running claude tracks its own position, so a stale end note does no harm.
    const stale = isLive ? undefined : findStaleEnd(linesBackwards(file.fd, file.size, maxSearchBytes));
    const findings = stale ? addDefect(read.findings, stale.defect) : read.findings;
    const isCopied = generations.length === 1 && prefix !== undefined && prefix === newest?.marks.at(-1)?.hash;
    // Without copies, a plan adds nothing to the findings.
    const isDone = generations.length === 0 ? !forRepair || !findings.damaged : isCopied && !findings.damaged;
    if (isDone) {
      return { value: use({ findings, plan: undefined, hash, files: new Map() }) };
    }
    const pieces = readPieces(file, 0, file.size);
    const endsWithNewline = readRange(file.fd, file.size - 1, file.size)[0] === 0x0a;
    return withCopies(generations, (donors, files) => {
      const repaired = planRepair(pieces, donors, endsWithNewline || file.size === 0);
      files.set(0, file);
      // Checked on the planned result, because recovered records bring their own notes.
      const note = isLive ? undefined : findStaleEnd(plannedLines(repaired.records, files))?.note;
      const plan =
        note === undefined ? repaired : planNote(repaired, note, { line: findings.lines + 1, size: file.size });
      const compared = compareWithSnapshot(findings, plan);
      return { value: use({ findings: compared, plan: compared.damaged ? plan : undefined, hash, files }) };
    });
  });
  if (!result) throw new Failure("not-found", `${target.path} does not exist`);
  return result.value;
}

const addDefect = (findings: Findings, defect: Defect): Findings => ({
  ...findings,
  defects: [...findings.defects, defect],
  damaged: true,
});

/** The generations that the transcript should contain, newest first. A restore discards the generations before it. */
function copiesOf({ paths }: Environment, sessionId: string): Generation[] {
  const view = viewSession(paths, sessionId);
  if (!view) return [];
  const restored = view.generations.findLastIndex(({ ended }) => ended?.why === "restored");
  return view.generations
    .slice(restored + 1)
    .filter(({ size }) => size > 0)
    .toReversed();
}

function readPieces(
  file: OpenFile,
  source: number,
  size: number,
  onChunk?: (bytes: Uint8Array) => void,
): TranscriptPiece[] {
  const reader = new PieceReader(source, byteTools);
  forEachChunk(file.fd, 0, size, (bytes) => {
    onChunk?.(bytes);
    reader.feed(bytes);
  });
  return reader.finish();
}

/** Opens all copies in nested calls; skips a copy whose hash differs from its last mark. */
function withCopies<T>(
  generations: readonly Generation[],
  use: (donors: Donor[], files: Map<number, OpenFile>) => T,
  donors: Donor[] = [],
  files = new Map<number, OpenFile>(),
): T {
  const [generation, ...rest] = generations;
  if (!generation) return use(donors, files);
  const next = (): T => withCopies(rest, use, donors, files);
  const { size, marks, number } = generation;
  return withPlainMirror(generation, size, (path) => {
    const result = withFile(path, (file) => {
      const chain = HashChain.empty();
      const pieces = file.size < size ? [] : readPieces(file, number, size, (bytes) => chain.feed(bytes));
      if (chain.digest() === marks.at(-1)?.hash) {
        donors.push({ generation: number, pieces });
        files.set(number, file);
      }
      return { value: next() };
    });
    return result ? result.value : next();
  });
}

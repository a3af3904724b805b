import type { Defect } from "../claude/defect.ts";
import { planNote, planRepair, type Donor, type RepairPlan } from "../claude/repair-plan.ts";
import { compareWithSnapshot } from "../claude/snapshot-defects.ts";
import { findStaleEnd } from "../claude/stale-end.ts";
import { type Piece, PieceReader } from "../claude/transcript-piece.ts";
import type { Findings } from "../claude/verify-transcript.ts";
import { Failure } from "../core/failure.ts";
import { byteTools } from "../io/byte-tools.ts";
import { forEachChunk, type OpenFile, readRange, withFile } from "../io/read-file.ts";
import { linesBackwards } from "../io/read-lines-backwards.ts";
import { HashChain } from "../store/hash-chain.ts";
import { withPlainMirror } from "../store/mirror.ts";
import { type Generation, viewSession } from "../store/session-view.ts";
import type { TranscriptTarget } from "./choose-transcript.ts";
import type { Environment } from "./environment.ts";
import { findLiveClaude } from "./live-session.ts";
import { plannedLines } from "./repaired-file.ts";
import { readTranscript } from "./read-transcript.ts";

/** What there is to know of a transcript, while it and the copies of it are open. */
export interface Inspection {
  findings: Findings;
  /** Absent when nothing is wrong, in itself or against its snapshot, or nobody asked. */
  plan: RepairPlan | undefined;
  /** Of the whole file. */
  hash: string;
  /** By a piece's source. */
  files: ReadonlyMap<number, OpenFile>;
}

/** Reads a transcript once when it is clean; what more it costs to plan a repair is paid only by a damaged one. */
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
    // While claude lives it knows by itself where it is.
    const stale = isLive ? undefined : findStaleEnd(linesBackwards(file.fd, file.size));
    const findings = stale ? addDefect(read.findings, stale.defect) : read.findings;
    const isCopied = generations.length === 1 && prefix !== undefined && prefix === newest?.marks.at(-1)?.hash;
    // Without copies a plan tells nothing that the findings do not.
    const isDone = generations.length === 0 ? !forRepair || !findings.damaged : isCopied && !findings.damaged;
    if (isDone) {
      return { value: use({ findings, plan: undefined, hash, files: new Map() }) };
    }
    const pieces = readPieces(file, 0, file.size);
    const endsWithNewline = readRange(file.fd, file.size - 1, file.size)[0] === 0x0a;
    return withCopies(generations, (donors, files) => {
      const mended = planRepair(pieces, donors, endsWithNewline || file.size === 0);
      files.set(0, file);
      // Of what it will be: records that come back bring notes of their own.
      const note = isLive ? undefined : findStaleEnd(plannedLines(mended.records, files))?.note;
      const plan = note === undefined ? mended : planNote(mended, note, { line: findings.lines + 1, size: file.size });
      const compared = compareWithSnapshot(findings, plan);
      return { value: use({ findings: compared, plan: compared.damaged ? plan : undefined, hash, files }) };
    });
  });
  if (!result) throw new Failure("not-found", `there is no file ${target.path}`);
  return result.value;
}

const addDefect = (findings: Findings, defect: Defect): Findings => ({
  ...findings,
  defects: [...findings.defects, defect],
  damaged: true,
});

/** The generations that the transcript should contain, newest first: none from before a restore, which left them for good. */
function copiesOf({ paths }: Environment, sessionId: string): Generation[] {
  const view = viewSession(paths, sessionId);
  if (typeof view === "string") return [];
  const restored = view.generations.findLastIndex(({ ended }) => ended?.why === "restored");
  return view.generations
    .slice(restored + 1)
    .filter(({ size }) => size > 0)
    .toReversed();
}

function readPieces(file: OpenFile, source: number, size: number, onChunk?: (bytes: Uint8Array) => void): Piece[] {
  const reader = new PieceReader(source, byteTools);
  forEachChunk(file.fd, 0, size, (bytes) => {
    onChunk?.(bytes);
    reader.feed(bytes);
  });
  return reader.finish();
}

/** Opens the copies, one inside the other; one that is not what its last mark says is left out. */
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

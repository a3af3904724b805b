import { mergeSnapshot } from "./merge-snapshot.ts";
import { findNewParents } from "./relink.ts";
import { parseRecord } from "../transcript/transcript.ts";
import type { TranscriptPiece } from "./transcript-piece.ts";

/** One record of the repaired transcript. */
export interface PlannedRecord {
  piece: TranscriptPiece;
  /** Broken characters are replaced, or NULs removed. */
  isTextRepaired: boolean;
  /** Set when it gets another parent; null makes it the root. */
  parent?: string | null;
  /** It shared its line with something else. */
  split: boolean;
  /** The damaged copy in the transcript, when this is the snapshot's. */
  replaces?: TranscriptPiece;
  /** A note that we add, which is not part of the conversation. */
  added?: true;
}

/** Bytes that the repair removes. The backup keeps them. */
export interface DroppedPiece {
  piece: TranscriptPiece;
  /** The generation with an undamaged copy; undefined when there is none. */
  recoveredFrom: number | undefined;
}

export interface RepairPlan {
  /** In order. Records from a snapshot have its generation as their source. */
  records: PlannedRecord[];
  dropped: DroppedPiece[];
  /** The transcript needs no change. */
  unchanged: boolean;
  /** The newest generation that shares no record with the transcript: it holds another conversation. */
  foreign?: Donor;
}

/** A generation of the snapshot, as a source for lost records. */
export interface Donor {
  generation: number;
  pieces: readonly TranscriptPiece[];
}

/** Plans the repaired transcript: all its valid records, lost ones from the donors (newest first), linked into one chain. */
export function planRepair(
  pieces: readonly TranscriptPiece[],
  donors: readonly Donor[],
  endsWithNewline: boolean,
): RepairPlan {
  let merged = [...pieces];
  const replaced = new Map<TranscriptPiece, TranscriptPiece>();
  let foreign: Donor | undefined;
  for (const donor of donors) {
    const result = mergeSnapshot(merged, donor.pieces);
    if (!result) {
      foreign ??= donor;
      continue;
    }
    merged = result.pieces;
    for (const { damaged, by } of result.replaced) replaced.set(damaged, by);
  }
  const replacements = new Map([...replaced].map(([damaged, by]) => [by, damaged]));
  const parents = findNewParents(merged);
  const piecesOnLine = new Map<number, number>();
  for (const { line } of pieces) piecesOnLine.set(line, (piecesOnLine.get(line) ?? 0) + 1);
  const records = merged.flatMap((piece): PlannedRecord[] => {
    if (!piece.record) return [];
    const parent = parents.get(piece);
    const split = piece.source === 0 && (piecesOnLine.get(piece.line) ?? 0) > 1;
    const isTextRepaired = piece.isMangled || piece.bytes !== undefined;
    const replaces = replacements.get(piece);
    return [
      { piece, isTextRepaired, split, ...(parent === undefined ? {} : { parent }), ...(replaces ? { replaces } : {}) },
    ];
  });
  const dropped = [...damagedPieces(merged, replacements), ...recoveredPieces(replaced)].sort(
    (a, b) => a.piece.from - b.piece.from,
  );
  const unchanged =
    dropped.length === 0 &&
    records.every(
      ({ piece, isTextRepaired, parent, split }) =>
        piece.source === 0 && !isTextRepaired && parent === undefined && !split,
    ) &&
    (endsWithNewline || pieces.length === 0);
  return { records, dropped, unchanged, ...(foreign ? { foreign } : {}) };
}

/** Adds one bookkeeping record at the end of the transcript. */
export function planNote(plan: RepairPlan, note: string, { line, size }: { line: number; size: number }): RepairPlan {
  const bytes = new TextEncoder().encode(note);
  const place = { source: 0, line, from: size, to: size, hash: 0 };
  const piece: TranscriptPiece = { ...place, bytes, isMangled: false, record: parseRecord(note) };
  return {
    ...plan,
    records: [...plan.records, { piece, isTextRepaired: true, split: false, added: true }],
    unchanged: false,
  };
}

const recoveredPieces = (replaced: ReadonlyMap<TranscriptPiece, TranscriptPiece>): DroppedPiece[] =>
  [...replaced].flatMap(([piece, by]) => (piece.source === 0 ? { piece, recoveredFrom: by.source } : []));

/** Damaged bytes count as recovered when the snapshot has records for their gap. */
function damagedPieces(
  merged: readonly TranscriptPiece[],
  replacements: ReadonlyMap<TranscriptPiece, TranscriptPiece>,
): DroppedPiece[] {
  const dropped: DroppedPiece[] = [];
  let gap: TranscriptPiece[] = [];
  let source: number | undefined;
  const close = (): void => {
    for (const piece of gap) dropped.push({ piece, recoveredFrom: source });
    gap = [];
    source = undefined;
  };
  for (const piece of merged) {
    if (!piece.record) gap.push(piece);
    else if (piece.source > 0 && !replacements.has(piece)) source ??= piece.source;
    else if (piece.record.uuid !== undefined) close();
  }
  close();
  return dropped;
}

import { mergeSnapshot } from "./merge-snapshot.ts";
import { findNewParents } from "./relink.ts";
import { parseRecord } from "./transcript.ts";
import type { Piece } from "./transcript-piece.ts";

/** One record of the repaired transcript. */
export interface PlannedRecord {
  piece: Piece;
  /** Its characters, or the NULs in it, are put right. */
  mended: boolean;
  /** Set when it gets another parent; null makes it the root. */
  parent?: string | null;
  /** It shared its line with something else. */
  split: boolean;
  /** The damaged copy in the transcript, when this is the snapshot's. */
  replaces?: Piece;
  /** Nobody had it: it is ours, and no part of the conversation. */
  added?: true;
}

/** Bytes that are not in the repaired transcript; the backup keeps them. */
export interface DroppedPiece {
  piece: Piece;
  /** The generation that has it whole; undefined when nobody has. */
  recoveredFrom: number | undefined;
}

export interface RepairPlan {
  /** In order. Those from the snapshot have its generation as their source. */
  records: PlannedRecord[];
  dropped: DroppedPiece[];
  /** The transcript is already as planned. */
  unchanged: boolean;
  /** The newest copy of which nothing is here: it holds another conversation. */
  foreign?: Donor;
}

/** Newest first. */
export interface Donor {
  generation: number;
  pieces: readonly Piece[];
}

/** What a transcript will consist of: everything valid that it has, what the snapshot has of the rest, in one chain. */
export function planRepair(pieces: readonly Piece[], donors: readonly Donor[], endsWithNewline: boolean): RepairPlan {
  let merged = [...pieces];
  const replaced = new Map<Piece, Piece>();
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
  const alone = new Map<number, number>();
  for (const { line } of pieces) alone.set(line, (alone.get(line) ?? 0) + 1);
  const records = merged.flatMap((piece): PlannedRecord[] => {
    if (!piece.record) return [];
    const parent = parents.get(piece);
    const split = piece.source === 0 && (alone.get(piece.line) ?? 0) > 1;
    const mended = piece.isMangled || piece.bytes !== undefined;
    const replaces = replacements.get(piece);
    return [{ piece, mended, split, ...(parent === undefined ? {} : { parent }), ...(replaces ? { replaces } : {}) }];
  });
  const dropped = [...damagedPieces(merged, replacements), ...recoveredPieces(replaced)].sort(
    (a, b) => a.piece.from - b.piece.from,
  );
  const unchanged =
    dropped.length === 0 &&
    records.every(
      ({ piece, mended, parent, split }) => piece.source === 0 && !mended && parent === undefined && !split,
    ) &&
    (endsWithNewline || pieces.length === 0);
  return { records, dropped, unchanged, ...(foreign ? { foreign } : {}) };
}

/** The same with one more record at its end, which is the transcript's own bookkeeping. */
export function planNote(plan: RepairPlan, note: string, { line, size }: { line: number; size: number }): RepairPlan {
  const bytes = new TextEncoder().encode(note);
  const place = { source: 0, line, from: size, to: size, hash: 0 };
  const piece: Piece = { ...place, bytes, isMangled: false, record: parseRecord(note) };
  return { ...plan, records: [...plan.records, { piece, mended: true, split: false, added: true }], unchanged: false };
}

const recoveredPieces = (replaced: ReadonlyMap<Piece, Piece>): DroppedPiece[] =>
  [...replaced].flatMap(([piece, by]) => (piece.source === 0 ? { piece, recoveredFrom: by.source } : []));

/** Bytes that are no record count as recovered when the snapshot has something for their gap. */
function damagedPieces(merged: readonly Piece[], replacements: ReadonlyMap<Piece, Piece>): DroppedPiece[] {
  const dropped: DroppedPiece[] = [];
  let gap: Piece[] = [];
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

import type { TranscriptPiece } from "./transcript-piece.ts";

/** The pieces of a transcript in order, completed from a snapshot. */
export interface MergedTranscript {
  pieces: TranscriptPiece[];
  /** Damaged pieces, each with the better copy from the snapshot. */
  replaced: { damaged: TranscriptPiece; by: TranscriptPiece }[];
}

/**
 * Inserts the records that only the snapshot has after the record that they follow there. A transcript only grows, so every
 * missing record was lost. Of two copies of a record the transcript's stays, unless it is damaged. Undefined when the snapshot
 * holds another conversation.
 */
export function mergeSnapshot(
  pieces: readonly TranscriptPiece[],
  snapshot: readonly TranscriptPiece[],
): MergedTranscript | undefined {
  const usable = snapshot.filter(({ record, isMangled }) => record && !isMangled);
  const places = new Map<string, number>();
  const hashes = new Set<number>();
  for (const [index, piece] of pieces.entries()) {
    if (!piece.record) continue;
    hashes.add(piece.hash);
    const { uuid } = piece.record;
    if (uuid !== undefined && !places.has(uuid)) places.set(uuid, index);
  }
  if (places.size > 0 && !usable.some(({ record }) => record?.uuid !== undefined && places.has(record.uuid)))
    return undefined;
  const replaced: MergedTranscript["replaced"] = [];
  const better = new Map<number, TranscriptPiece>();
  const after = new Map<number, TranscriptPiece[]>();
  const damagedUuids = recordsWithDamagedUuid(pieces, usable, places);
  let last = -1;
  // Lines without a uuid can repeat. Whether one is missing depends on its neighbors.
  let undecided: TranscriptPiece[] = [];
  let inGap = false;
  const recover = (piece: TranscriptPiece): void => {
    const run = after.get(last) ?? [];
    run.push(...undecided, piece);
    after.set(last, run);
    undecided = [];
    inGap = true;
  };
  const moveTo = (place: number): void => {
    last = place;
    undecided = [];
    inGap = false;
  };
  for (const piece of usable) {
    const uuid = piece.record?.uuid;
    const place = uuid === undefined ? undefined : (places.get(uuid) ?? damagedUuids.get(piece));
    const next = nextRecord(pieces, last);
    if (place !== undefined) {
      moveTo(place);
      const present = pieces[place];
      if (!present || better.has(place) || !isBetter(piece, present)) continue;
      better.set(place, piece);
      replaced.push({ damaged: present, by: piece });
    } else if (uuid === undefined && pieces[next]?.hash === piece.hash) {
      moveTo(next);
    } else if (uuid !== undefined || inGap || !hashes.has(piece.hash)) {
      recover(piece);
    } else {
      undecided.push(piece);
    }
  }
  const merged = pieces.flatMap((piece, index) => [better.get(index) ?? piece, ...(after.get(index) ?? [])]);
  return { pieces: [...(after.get(-1) ?? []), ...merged], replaced };
}

function nextRecord(pieces: readonly TranscriptPiece[], last: number): number {
  let next = last + 1;
  while (next < pieces.length && !pieces[next]?.record) next++;
  return next;
}

function isBetter(copy: TranscriptPiece, present: TranscriptPiece): boolean {
  if (copy.hash === present.hash) return false;
  // A record never changes its parent, so a different one is damage.
  return (
    present.isMangled ||
    present.bytes !== undefined ||
    present.record?.uuid !== copy.record?.uuid ||
    present.record?.parent !== copy.record?.parent
  );
}

/** Finds records whose uuid is damaged: unknown to the snapshot, and otherwise equal to a missing record. */
function recordsWithDamagedUuid(
  pieces: readonly TranscriptPiece[],
  usable: readonly TranscriptPiece[],
  places: ReadonlyMap<string, number>,
): Map<TranscriptPiece, number> {
  const known = new Set(usable.map(({ record }) => record?.uuid));
  const unknown = new Map<string, number>();
  for (const [index, piece] of pieces.entries()) {
    const uuid = piece.record?.uuid;
    if (uuid !== undefined && !known.has(uuid)) unknown.set(fingerprint(piece), index);
  }
  const damagedUuids = new Map<TranscriptPiece, number>();
  if (unknown.size === 0) return damagedUuids;
  for (const piece of usable) {
    const uuid = piece.record?.uuid;
    const place = uuid === undefined || places.has(uuid) ? undefined : unknown.get(fingerprint(piece));
    if (place !== undefined) damagedUuids.set(piece, place);
  }
  return damagedUuids;
}

const fingerprint = ({ record, from, to }: TranscriptPiece): string =>
  [record?.parent, record?.type, record?.timestamp, to - from].join(" ");

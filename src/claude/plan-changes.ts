import type { PlannedRecord, RepairPlan } from "./repair-plan.ts";
import type { Piece } from "./transcript-piece.ts";

/** One difference between a transcript and what it becomes. */
export interface PlannedChange {
  /**
   * recovered: only the snapshot had it · replaced: the snapshot had it whole · dropped: bytes that are no record · added: a
   * note of ours.
   */
  change: "recovered" | "replaced" | "added" | "relinked" | "mended" | "split" | "dropped";
  /** In the transcript as it was; for a recovered record, the line that it comes behind. */
  line: number;
  offset: number;
  bytes: number;
  type: string | null;
  uuid: string | null;
  /** Of the snapshot, where the bytes come from it. */
  generation: number | null;
  /** The new one of a relinked record; null makes it the root. */
  parent?: string | null;
}

export interface PlanSummary {
  records: number;
  /** Of those: byte for byte as they were, in the transcript itself. */
  kept: number;
  recovered: number;
  relinked: number;
  mended: number;
  split: number;
  /** Pieces that are no record and are cut out. */
  dropped: number;
}

/** A plan as a person reads it: what changes, from the beginning of the file to its end. */
export function listChanges({ records, dropped }: RepairPlan): PlannedChange[] {
  const changes: PlannedChange[] = [];
  let last = { line: 0, to: 0 };
  for (const planned of records) {
    const { piece, replaces } = planned;
    if (piece.source === 0) last = piece;
    const place = piece.source === 0 ? piece : (replaces ?? { line: last.line, from: last.to });
    const change = changeOf(planned);
    if (change) changes.push({ change, line: place.line, offset: place.from, ...factsOf(piece), ...parentOf(planned) });
  }
  for (const { piece } of dropped) {
    if (!piece.record) changes.push({ change: "dropped", line: piece.line, offset: piece.from, ...factsOf(piece) });
  }
  return changes.sort((one, other) => one.offset - other.offset);
}

export function summarizePlan(plan: RepairPlan): PlanSummary {
  const changes = plan.records.map(changeOf);
  const count = (wanted: PlannedChange["change"] | undefined): number =>
    changes.filter((each) => each === wanted).length;
  return {
    records: plan.records.length,
    kept: count(undefined) + count("split"),
    recovered: count("recovered") + count("replaced"),
    relinked: plan.records.filter(({ parent }) => parent !== undefined).length,
    mended: count("mended"),
    split: count("split"),
    dropped: plan.dropped.filter(({ piece }) => !piece.record).length,
  };
}

function changeOf({
  piece,
  parent,
  mended,
  split,
  replaces,
  added,
}: PlannedRecord): PlannedChange["change"] | undefined {
  if (added) return "added";
  if (replaces) return "replaced";
  if (piece.source > 0) return "recovered";
  if (parent !== undefined) return "relinked";
  return mended ? "mended" : split ? "split" : undefined;
}

const parentOf = ({ parent }: PlannedRecord): { parent?: string | null } => (parent === undefined ? {} : { parent });

const factsOf = ({
  source,
  from,
  to,
  record,
}: Piece): Pick<PlannedChange, "bytes" | "type" | "uuid" | "generation"> => ({
  bytes: to - from,
  type: record?.type ?? null,
  uuid: record?.uuid ?? null,
  generation: source === 0 ? null : source,
});

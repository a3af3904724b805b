import type { PlannedRecord, RepairPlan } from "./repair-plan.ts";
import type { TranscriptPiece } from "./transcript-piece.ts";

/** One change that a repair makes to a transcript. */
export interface PlannedChange {
  /**
   * recovered: only the snapshot has it · replaced: the snapshot has an undamaged copy · mended: broken text was fixed ·
   * dropped: bytes that are not a record · added: a note of ours.
   */
  change: "recovered" | "replaced" | "added" | "relinked" | "mended" | "split" | "dropped";
  /** In the damaged transcript; for a recovered record, the line before it. */
  line: number;
  offset: number;
  bytes: number;
  type: string | null;
  uuid: string | null;
  /** Generation of the snapshot that the bytes come from. */
  generation: number | null;
  /** New parent of a relinked record; null makes it the root. */
  parent?: string | null;
}

export interface PlanSummary {
  records: number;
  /** Records whose bytes do not change. */
  kept: number;
  recovered: number;
  relinked: number;
  mended: number;
  split: number;
  /** Pieces that are not records and are removed. */
  dropped: number;
}

/** The changes of a plan, in the order of the file. */
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
  isTextRepaired,
  split,
  replaces,
  added,
}: PlannedRecord): PlannedChange["change"] | undefined {
  if (added) return "added";
  if (replaces) return "replaced";
  if (piece.source > 0) return "recovered";
  if (parent !== undefined) return "relinked";
  return isTextRepaired ? "mended" : split ? "split" : undefined;
}

const parentOf = ({ parent }: PlannedRecord): { parent?: string | null } => (parent === undefined ? {} : { parent });

const factsOf = ({
  source,
  from,
  to,
  record,
}: TranscriptPiece): Pick<PlannedChange, "bytes" | "type" | "uuid" | "generation"> => ({
  bytes: to - from,
  type: record?.type ?? null,
  uuid: record?.uuid ?? null,
  generation: source === 0 ? null : source,
});

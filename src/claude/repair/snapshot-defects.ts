import { count, type Defect, isDamage } from "./defect.ts";
import type { PlannedRecord, RepairPlan } from "./repair-plan.ts";
import type { Findings } from "./verify-transcript.ts";

/** Updates the findings with what the snapshot can restore. */
export function compareWithSnapshot(findings: Findings, plan: RepairPlan): Findings {
  const recovered = new Map<number, number>();
  for (const { piece, recoveredFrom } of plan.dropped) {
    if (recoveredFrom !== undefined) recovered.set(piece.line, recoveredFrom);
  }
  const relinked = new Set(plan.records.flatMap(({ piece, parent }) => (parent === undefined ? [] : piece.line)));
  const added = plan.records.filter(({ piece }) => piece.source > 0).length;
  const defects = findings.defects.map((defect): Defect => {
    const generation = recovered.get(defect.line);
    if (generation !== undefined && defect.kind !== "duplicate-uuid") {
      return { ...defect, severity: "damage", repair: `whole again from the snapshot (generation ${generation})` };
    }
    if (defect.kind === "missing-parent" && !relinked.has(defect.line)) {
      return { ...defect, repair: "its parent comes back from the snapshot" };
    }
    if ((defect.kind === "empty-file" || defect.kind === "stub-file") && added > 0) {
      return { ...defect, severity: "damage", repair: `${count(added, "record")} from the snapshot` };
    }
    return defect;
  });
  const isEmpty = defects.some(({ kind }) => kind === "empty-file" || kind === "stub-file");
  const more = isEmpty ? [] : [...changedLinks(defects, plan), ...lostRecords(findings, plan)];
  const all = [...overwritten(plan), ...defects, ...more].sort((one, other) => one.offset - other.offset);
  return { ...findings, defects: all, damaged: findings.damaged || all.some(isDamage) };
}

/** The transcript is valid but holds another conversation, so there is nothing to repair. */
function overwritten({ foreign }: RepairPlan): Defect[] {
  const spoken = (foreign?.pieces ?? []).filter(({ record }) => isSpoken(record?.type)).length;
  if (!foreign || spoken === 0) return [];
  return [
    {
      kind: "overwritten",
      severity: "note",
      line: 0,
      offset: 0,
      what: `not the conversation in the snapshot (generation ${foreign.generation}); none of that is here`,
      loses: `${count(spoken, "record")} of that conversation; session-snapshot restore brings it back, session-snapshot list shows its marks`,
      repair: null,
    },
  ];
}

const isSpoken = (type: string | undefined): boolean => type === "user" || type === "assistant";

/** Valid records with a different parent than in the snapshot. */
function changedLinks(known: readonly Defect[], { dropped }: RepairPlan): Defect[] {
  const lines = new Set(known.map(({ line }) => line));
  return dropped
    .filter(({ piece, recoveredFrom }) => piece.record && recoveredFrom !== undefined && !lines.has(piece.line))
    .map(({ piece, recoveredFrom }) => ({
      kind: "lost-records",
      severity: "damage",
      line: piece.line,
      offset: piece.from,
      what: "a record at a different place in the conversation than in the snapshot",
      loses: "the records between the two places",
      repair: `as it is in the snapshot (generation ${recoveredFrom})`,
    }));
}

/** Runs of records that only the snapshot has, where the transcript itself shows no damage. */
function lostRecords({ size, lines }: Findings, plan: RepairPlan): Defect[] {
  const found: Defect[] = [];
  let before = { line: 0, to: 0 };
  let run: PlannedRecord[] = [];
  const close = (next: number): void => {
    const [first] = run;
    const explained = plan.dropped.some(({ piece }) => !piece.record && piece.from >= before.to && piece.to <= next);
    if (first && !explained) found.push(describe(run, first, before, next >= size ? { size, lines } : undefined));
    run = [];
  };
  for (const planned of plan.records) {
    const { piece } = planned;
    if (piece.source > 0) {
      if (!planned.replaces) run.push(planned);
      continue;
    }
    close(piece.from);
    before = piece;
  }
  close(size);
  return found;
}

function describe(
  run: readonly PlannedRecord[],
  first: PlannedRecord,
  before: { line: number; to: number },
  end: { size: number; lines: number } | undefined,
): Defect {
  const spoken = run.filter(({ piece }) => isSpoken(piece.record?.type)).length;
  // Bookkeeping records are not part of the conversation.
  const isDamage = run.some(({ piece }) => piece.record?.uuid !== undefined);
  return {
    kind: end ? "shrunk" : "lost-records",
    severity: isDamage ? "damage" : "note",
    line: end ? end.lines : before.line,
    offset: end ? end.size : before.to,
    what: end ? "the file ends earlier than its snapshot" : "records that the snapshot has are missing after this line",
    loses: `${count(run.length, "record")}, ${spoken} of the conversation`,
    repair: isDamage ? `comes back from the snapshot (generation ${first.piece.source})` : null,
  };
}

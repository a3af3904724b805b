import {
  type Cleaned,
  type CleanItem,
  type CleanPlan,
  cleanSessions,
  planClean,
} from "../../../app/maintenance/clean.ts";
import { sweepOrphanedSessions } from "../../../app/run-records/sweep-orphaned-sessions.ts";
import { maintain, type MaintenanceReport } from "../../../app/maintenance/maintain.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { renderTable } from "../../table.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "removes snapshots, and compresses those that have not been used for a long time",
  details: `Removes the snapshots of this directory's sessions; --all removes those of every project. Asks first; without a terminal it needs --yes. It skips a session that is in use, unless both --session
and --yes are given. Removing a snapshot also removes its past generations and its backups, so session-snapshot undo
cannot restore them. The file marks of the same projects go, too. Claude's transcripts and your files are not touched.`,
  args: {
    all: { type: "boolean", description: "of all projects; default: only of this directory" },
    session: { type: "string", valueHint: "id", description: "only this session: its id or the start of it" },
    "older-than": {
      type: "string",
      valueHint: "age",
      description: "only sessions not used for this long, such as 30d, 12h, 90m, 2w",
    },
    "dry-run": { type: "boolean", description: "show what would be removed, but remove nothing" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot clean --dry-run", "shows what it would remove for this directory"],
    ["session-snapshot clean --all --older-than 30d", "removes what has not been used for a month, in all projects"],
    ["session-snapshot clean --session 1b9d6bcd --yes", "removes one session without asking"],
  ],
  async run(args, output, { environment }) {
    const yes = args.yes === true;
    const dryRun = args["dry-run"] === true;
    if (!yes && !dryRun && !output.canAsk) {
      throw new Failure("usage", "clean removes snapshots permanently; without a terminal it needs --yes", {
        hint: "--dry-run shows what would be removed.",
      });
    }
    if (args.all && args.session !== undefined) throw new Failure("usage", "give --session or --all, not both");
    const all = args.all === true;
    const plan = planClean(environment, { session: args.session, all, olderThan: args["older-than"], yes });
    const now = environment.now();
    if (plan.items.length === 0 && plan.trees.length === 0) {
      // Maintenance still runs: it compresses old snapshots and enforces the disk cap.
      if (!dryRun) {
        maintain(environment);
        sweepOrphanedSessions(environment);
      }
      throw nothingToRemove(plan, { named: args.session, all });
    }
    if (dryRun) {
      if (output.mode === "json")
        return output.json({
          dryRun: true,
          ...jsonOf(plan, now),
          spared: plan.spared.map(({ sessionId }) => sessionId),
        });
      return output.data(describe(plan, now, output).join("\n"));
    }
    if (!yes) {
      output.note(describe(plan, now, output).join("\n"));
      if (!(await output.confirm(`Remove ${countAll(plan)}?`))) {
        output.note("Nothing was removed.");
        return exitCodes.stopped;
      }
    }
    const cleaned = await cleanSessions(environment, plan);
    const maintenance = maintain(environment);
    sweepOrphanedSessions(environment);
    report(cleaned, maintenance, now, output);
    return cleaned.failed.length > 0 ? exitCodes.partial : exitCodes.done;
  },
});

function nothingToRemove(
  { spared }: CleanPlan,
  { named, all }: { readonly named: string | undefined; readonly all: boolean },
): Failure {
  const [only] = spared;
  if (named !== undefined && only !== undefined) {
    return new Failure("locked", `${only.heldBy} holds session ${only.sessionId}; nothing was removed`, {
      hint: `To remove its snapshot anyway: session-snapshot clean --session ${only.sessionId} --yes`,
    });
  }
  const left = spared.length > 0 ? `; skipped ${count(spared.length)} in use` : "";
  const isHere = named === undefined && !all;
  return new Failure("not-found", `no snapshot ${isHere ? "of this directory " : ""}to remove${left}`, {
    hint: isHere ? "--all looks at all projects; session-snapshot status lists them." : "See session-snapshot status.",
  });
}

function describe({ items, spared, trees }: CleanPlan, now: number, output: Output): string[] {
  const rows = items.map((item) => [
    item.sessionId,
    item.title ?? "",
    item.project,
    formatBytes(item.bytes),
    formatDuration(now - item.lastUse),
    [...(item.heldBy !== undefined ? ["in use"] : []), ...(item.onlyCopy ? ["only copy"] : [])].join(", "),
  ]);
  const [head = "", ...body] = renderTable(columns, rows, output.tableWidth);
  const lines = [output.colors.dim(head), ...body, ""];
  const bytes = items.reduce((sum, each) => sum + each.bytes, 0);
  lines.push(`${count(items.length)}, ${formatBytes(bytes)}, ${backupsOf(items)}.`);
  for (const { workspace, marks, bytes, isWhole } of trees) {
    const size = isWhole ? `, ${formatBytes(bytes)}` : "";
    lines.push(`${marks.length} file ${marks.length === 1 ? "mark" : "marks"} of ${oneLine(workspace)}${size}.`);
  }
  const only = items.filter(({ onlyCopy }) => onlyCopy).length;
  if (only > 0) lines.push(`For ${only} of them, Claude has no transcript any more: the snapshot is the only copy.`);
  if (spared.length > 0) lines.push(`Skipped ${count(spared.length)} in use.`);
  return lines;
}

const columns = [
  { title: "session", shrinksTo: 9 },
  { title: "title", shrinksTo: 12, leavesAs: 3, mayBeEmpty: true },
  { title: "project", shrinksTo: 8 },
  { title: "size", align: "right", leavesAs: 1 },
  { title: "age", align: "right", leavesAs: 2 },
  { title: "" },
] as const;

const countAll = ({ items, trees }: CleanPlan): string =>
  trees.length === 0 ? count(items.length) : `${count(items.length)}, and the file marks of ${trees.length} projects`;

const count = (sessions: number): string => `${sessions} snapshot${sessions === 1 ? "" : "s"}`;

function backupsOf(items: readonly CleanItem[]): string {
  const backups = items.reduce((sum, each) => sum + each.backups, 0);
  return backups === 0 ? "no backups" : `with ${backups} backup${backups === 1 ? "" : "s"}, which undo would need`;
}

function report(cleaned: Cleaned, maintenance: MaintenanceReport | undefined, now: number, output: Output): void {
  const { removed, trees, freed, failed } = cleaned;
  if (output.mode === "json") {
    return output.json({
      dryRun: false,
      ...jsonOf({ items: removed, trees }, now),
      freed,
      failed,
      maintenance: maintenance ?? "busy",
    });
  }
  if (removed.length > 0) {
    output.success(`Removed ${count(removed.length)}, ${backupsOf(removed)}: ${formatBytes(freed)} freed, verified.`);
  }
  for (const { workspace, marks } of trees) {
    output.success(`Removed ${marks.length} file ${marks.length === 1 ? "mark" : "marks"} of ${workspace}.`);
  }
  for (const { sessionId, why } of failed) output.warn(`${sessionId} was not removed: ${why}`);
  if (!maintenance) return;
  const { packed, dropped, problems } = maintenance;
  if (packed.length > 0) {
    const saved = packed.reduce((sum, { before, after }) => sum + before - after, 0);
    output.note(
      `Compressed ${packed.length} old snapshot${packed.length === 1 ? "" : "s"}: ${formatBytes(saved)} freed.`,
    );
  }
  for (const each of dropped) {
    const what = each.generation === null ? "" : `generation ${each.generation} of `;
    const only = each.onlyCopy ? ", the only copy" : "";
    output.warn(`The disk cap was reached: dropped ${what}${each.sessionId}, ${formatBytes(each.bytes)}${only}.`);
  }
  for (const problem of problems) output.warn(problem);
}

function jsonOf({ items, trees }: Pick<CleanPlan, "items" | "trees">, now: number): object {
  return {
    fileMarks: trees.map(({ workspace, marks, isWhole, bytes }) => ({ workspace, marks, all: isWhole, size: bytes })),
    sessions: items.map(({ sessionId, lastUse, bytes, heldBy, ...rest }) => ({
      session: sessionId,
      ...rest,
      live: heldBy !== undefined,
      size: bytes,
      lastUse: new Date(lastUse).toISOString(),
      ageSeconds: Math.round((now - lastUse) / 1000),
    })),
    size: items.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

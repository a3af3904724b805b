import { type Cleaned, type CleanItem, type CleanPlan, cleanSessions, planClean } from "../../app/clean.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { maintain, type MaintenanceReport } from "../../app/maintain.ts";
import { Failure } from "../../core/failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatBytes, formatDuration } from "../format.ts";
import type { Output } from "../output.ts";
import { renderTable } from "../table.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "removes snapshots, and compresses those that have not been used for long",
  details: `Asks first; without a terminal it needs --yes. A session that a running claude holds is
left alone unless it is named by --session and --yes is given. With a snapshot go its past generations and its
backups: session-snapshot undo has then nothing to go back to. Claude's own transcripts are not touched.`,
  args: {
    session: { type: "string", valueHint: "id", description: "only this one: an id or its beginning" },
    "older-than": { type: "string", valueHint: "age", description: "only those not used for 30d, 12h, 90m, 2w" },
    "dry-run": { type: "boolean", description: "print what would be removed, and remove nothing" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot clean --older-than 30d --dry-run", "what has not been used for a month"],
    ["session-snapshot clean --session 1b9d6bcd --yes", "one session, without asking"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const yes = args.yes === true;
    const dryRun = args["dry-run"] === true;
    if (!yes && !dryRun && !canAsk(output)) {
      throw new Failure("usage", "clean removes snapshots for good; without a terminal to ask on it needs --yes", {
        hint: "With --dry-run it prints what would be removed.",
      });
    }
    const plan = planClean(environment, { session: args.session, olderThan: args["older-than"], yes });
    const now = environment.now();
    if (plan.items.length === 0) {
      // What it does besides is done all the same: packing what is cold, keeping to the disk cap.
      if (!dryRun) maintain(environment);
      throw nothingToRemove(plan, args.session);
    }
    if (dryRun) {
      if (output.mode === "json") return output.json({ dryRun: true, ...jsonOf(plan.items, now), spared: plan.spared });
      return output.data(describe(plan, now, output).join("\n"));
    }
    if (!yes) {
      output.note(describe(plan, now, output).join("\n"));
      if (!(await output.confirm(`Remove ${count(plan.items.length)}?`))) {
        output.note("Nothing was removed.");
        return exitCodes.stopped;
      }
    }
    const cleaned = await cleanSessions(environment, plan);
    const maintenance = maintain(environment);
    report(cleaned, maintenance, now, output);
    return cleaned.failed.length > 0 ? exitCodes.partial : exitCodes.done;
  },
});

// As Output.confirm decides it: there an answer that cannot be given is a no, here it is wrong usage.
const canAsk = (output: Output): boolean =>
  output.mode === "human" && process.stdin.isTTY === true && process.stderr.isTTY === true;

function nothingToRemove({ spared }: CleanPlan, named: string | undefined): Failure {
  const [only] = spared;
  if (named !== undefined && only !== undefined) {
    return new Failure("locked", `a running claude holds session ${only}; nothing was removed`, {
      hint: `To remove its snapshot all the same: session-snapshot clean --session ${only} --yes`,
    });
  }
  const left = spared.length > 0 ? `; a running claude holds ${count(spared.length)}, left alone` : "";
  return new Failure("not-found", `no snapshot to remove${left}`, { hint: "See session-snapshot status." });
}

function describe({ items, spared }: CleanPlan, now: number, output: Output): string[] {
  const rows = items.map((item) => [
    item.sessionId,
    item.project,
    formatBytes(item.bytes),
    formatDuration(now - item.lastUse),
    [...(item.live ? ["in use"] : []), ...(item.onlyCopy ? ["only copy"] : [])].join(", "),
  ]);
  const [head = "", ...body] = renderTable(columns, rows, output.width);
  const lines = [output.colors.dim(head), ...body, ""];
  const bytes = items.reduce((sum, each) => sum + each.bytes, 0);
  lines.push(`${count(items.length)}, ${formatBytes(bytes)}, ${backupsOf(items)}.`);
  const only = items.filter(({ onlyCopy }) => onlyCopy).length;
  if (only > 0)
    lines.push(`Of ${only} of them Claude has no transcript any more: with the snapshot it is gone for good.`);
  if (spared.length > 0) lines.push(`A running claude holds ${count(spared.length)}, left alone.`);
  return lines;
}

const columns = [
  { title: "session", shrinksTo: 9 },
  { title: "project", shrinksTo: 8 },
  { title: "size", align: "right", leavesAs: 1 },
  { title: "age", align: "right", leavesAs: 2 },
  { title: "" },
] as const;

const count = (sessions: number): string => `${sessions} snapshot${sessions === 1 ? "" : "s"}`;

function backupsOf(items: readonly CleanItem[]): string {
  const backups = items.reduce((sum, each) => sum + each.backups, 0);
  return backups === 0 ? "no backups" : `with ${backups} backup${backups === 1 ? "" : "s"}, which undo would need`;
}

function report(cleaned: Cleaned, maintenance: MaintenanceReport | "busy", now: number, output: Output): void {
  const { removed, freed, failed } = cleaned;
  if (output.mode === "json") {
    return output.json({ dryRun: false, ...jsonOf(removed, now), freed, failed, maintenance });
  }
  if (removed.length > 0) {
    output.success(`Removed ${count(removed.length)}, ${backupsOf(removed)}: ${formatBytes(freed)} freed, verified.`);
  }
  for (const { sessionId, why } of failed) output.warn(`${sessionId} was not removed: ${why}`);
  if (maintenance === "busy") return;
  const { packed, dropped, problems } = maintenance;
  if (packed.length > 0) {
    const saved = packed.reduce((sum, { before, after }) => sum + before - after, 0);
    output.note(`Compressed ${packed.length} that had not been used for long: ${formatBytes(saved)} freed.`);
  }
  for (const each of dropped) {
    const what = each.generation === null ? "" : `generation ${each.generation} of `;
    const only = each.onlyCopy ? ", the only copy there was" : "";
    output.warn(`The disk cap was reached: dropped ${what}${each.sessionId}, ${formatBytes(each.bytes)}${only}.`);
  }
  for (const problem of problems) output.warn(problem);
}

function jsonOf(items: readonly CleanItem[], now: number): object {
  return {
    sessions: items.map(({ sessionId, lastUse, bytes, ...rest }) => ({
      session: sessionId,
      ...rest,
      size: bytes,
      lastUse: new Date(lastUse).toISOString(),
      ageSeconds: Math.round((now - lastUse) / 1000),
    })),
    size: items.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

import { chooseTranscript } from "../../../app/session/choose-transcript.ts";
import {
  type PlannedChange,
  type PlanSummary,
  type RepairResult,
  repairTranscript,
} from "../../../app/repair/repair.ts";
import { quotePosixWords } from "../../../core/posix-quote.ts";
import { describeSideFile, jsonOfSideFile } from "../../messages/defect-report.ts";
import { exitCodes } from "../../exit-codes.ts";
import { formatBytes } from "../../format.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "repairs a damaged transcript without losing a valid record; keeps the old file",
  details: `Takes damaged or lost records from the snapshot, byte for byte. Records that no snapshot has are cut out, and the
records around them are linked. The repaired file is verified before it replaces the old one, which session-snapshot
undo brings back. Side files (transcripts of subagents, tool results) that are missing, empty or damaged come back from
their copies. Refused while the session is in use.`,
  args: {
    session: { type: "positional", required: true, description: "id, the start of it, or a .jsonl file" },
    "dry-run": { type: "boolean", description: "show every change, but make none" },
    force: { type: "boolean", description: "repair even while the session is in use" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot repair 1b9d6bcd --dry-run", "shows what would change"],
    ["session-snapshot repair 1b9d6bcd", "repairs it, if it is damaged"],
    ["session-snapshot repair copy.jsonl", "repairs a file that is not one of Claude's sessions"],
  ],
  async run(args, output, { environment }) {
    const target = chooseTranscript(environment, args.session, process.cwd());
    const dryRun = args["dry-run"] === true;
    const result = await repairTranscript(environment, { target, dryRun, force: args.force === true });
    const exitCode = result.sideFiles.every(({ copy }) => copy) ? exitCodes.done : exitCodes.partial;
    if (output.mode === "json") {
      output.json(jsonOf(result, dryRun));
      return exitCode;
    }
    const { report, plan, backup, sideFiles } = result;
    const name = target.isOwn ? `session ${target.sessionId}` : target.path;
    if (!plan && sideFiles.length === 0) {
      output.note(`Nothing to do: ${name} is clean (${report.records} records).`);
      return exitCode;
    }
    if (dryRun) {
      const lines = plan ? describePlan(report.path, plan, output) : [];
      output.data([...lines, ...sideFiles.map(describeSideFile)].join("\n"));
      return exitCode;
    }
    for (const each of sideFiles) {
      if (each.copy) output.success(`Put back ${oneLine(each.name)} (${formatBytes(each.copy.size)}, verified).`);
      else output.note(describeSideFile(each));
    }
    if (!plan) return exitCode;
    output.success(`Repaired ${name}: ${summarize(plan.summary)}; verified.`);
    const undo = target.isOwn
      ? `session-snapshot undo ${target.sessionId}`
      : quotePosixWords(["session-snapshot", "undo", target.path]);
    if (backup) output.note(`The old transcript is kept; ${oneLine(undo)} brings it back.`);
    if (target.isOwn) output.note(`Continue with: claude --resume ${target.sessionId}`);
    return exitCode;
  },
});

function describePlan(path: string, { changes, summary }: NonNullable<RepairResult["plan"]>, output: Output): string[] {
  const { dim, green, red, yellow } = output.colors;
  const paint = { "+": green, "-": red, "~": yellow };
  const lines = [dim(path)];
  for (const change of changes) {
    for (const [sign, text] of describeChange(change)) lines.push(paint[sign](`${sign} line ${change.line}: ${text}`));
  }
  return [...lines, `${summarize(summary)}.`];
}

/** Like a diff: removed, added and changed lines. */
function describeChange(change: PlannedChange): ["+" | "-" | "~", string][] {
  const { generation, parent } = change;
  const link =
    parent === undefined ? "" : parent === null ? ", made the first record" : `, linked to ${parent.slice(0, 8)}`;
  const record = `${change.type ?? "record"} ${change.uuid?.slice(0, 8) ?? ""}`.trimEnd();
  const from = `from generation ${generation} of the snapshot`;
  switch (change.change) {
    case "dropped":
      return [["-", `${formatBytes(change.bytes)} that are not a record`]];
    case "recovered":
      return [["+", `${record}, ${from}${link}`]];
    case "replaced":
      return [
        ["-", `${record}, damaged`],
        ["+", `${record}, ${from}${link}`],
      ];
    case "relinked":
      return [["~", `${record}${link}`]];
    case "mended":
      return [["~", `${record}, without its NULs or broken characters`]];
    case "added":
      return [["+", "a record of where the conversation ends"]];
    case "split":
      return [["~", `${record}, on a line of its own`]];
  }
}

function summarize({ records, kept, recovered, relinked, mended, dropped }: PlanSummary): string {
  const parts = [`${kept} of ${records} records unchanged`];
  if (recovered > 0) parts.push(`${recovered} from the snapshot`);
  if (relinked > 0) parts.push(`${relinked} relinked`);
  if (mended > 0) parts.push(`${mended} repaired`);
  if (dropped > 0) parts.push(`${dropped} ${dropped === 1 ? "piece" : "pieces"} cut out`);
  return parts.join(", ");
}

function jsonOf({ report, plan, backup, sideFiles }: RepairResult, dryRun: boolean): object {
  return {
    session: report.sessionId ?? null,
    path: report.path,
    ...(dryRun ? { dryRun: true } : { repaired: backup !== undefined || sideFiles.some(({ copy }) => copy) }),
    defects: report.defects,
    summary: plan?.summary ?? null,
    changes: plan?.changes ?? [],
    backup: backup ?? null,
    sideFiles: sideFiles.map(jsonOfSideFile),
  };
}

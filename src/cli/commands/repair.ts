import { chooseTranscript } from "../../app/choose-transcript.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { type PlannedChange, type PlanSummary, type RepairResult, repairTranscript } from "../../app/repair.ts";
import { formatBytes } from "../format.ts";
import type { Output } from "../output.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "mends a damaged transcript, losing no valid record; keeps what it replaces",
  details: `Takes what is damaged or lost from the snapshot, byte for byte, where there is one. What nobody has is cut out, and
the records around it are linked to each other. The mended file is verified before it takes the place of the old one,
which comes back with "session-snapshot undo". Refused while a running claude holds the session.`,
  args: {
    session: { type: "positional", required: true, description: "id, its beginning, or a .jsonl file" },
    "dry-run": { type: "boolean", description: "print what would change, record by record, and change nothing" },
    force: { type: "boolean", description: "even while a running claude holds the session" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot repair 1b9d6bcd --dry-run", "what would change"],
    ["session-snapshot repair 1b9d6bcd", "mends it; nothing to do when it is clean"],
    ["session-snapshot repair copy.jsonl", "a file that is no session of Claude's"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const target = chooseTranscript(environment, args.session, process.cwd());
    const dryRun = args["dry-run"] === true;
    const result = await repairTranscript(environment, { target, dryRun, force: args.force === true });
    if (output.mode === "json") return output.json(jsonOf(result, dryRun));
    const { report, plan, backup } = result;
    const name = target.isOwn ? `session ${target.sessionId}` : target.path;
    if (!plan) return output.note(`Nothing to do: ${name} is clean (${report.records} records).`);
    if (dryRun) return output.data(describePlan(report.path, plan, output).join("\n"));
    output.success(`Repaired ${name}: ${summarize(plan.summary)}; verified.`);
    const undo = target.isOwn ? `session-snapshot undo ${target.sessionId}` : "session-snapshot undo";
    if (backup) output.note(`What it replaced is kept; ${undo} brings it back.`);
    if (target.isOwn) output.note(`Go on with: claude --resume ${target.sessionId}`);
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

/** Like a diff: what goes, what comes, what changes. */
function describeChange(change: PlannedChange): ["+" | "-" | "~", string][] {
  const { generation, parent } = change;
  const link =
    parent === undefined ? "" : parent === null ? ", made the beginning" : `, linked to ${parent.slice(0, 8)}`;
  const record = `${change.type ?? "record"} ${change.uuid?.slice(0, 8) ?? ""}`.trimEnd();
  const from = `from generation ${generation} of the snapshot`;
  switch (change.change) {
    case "dropped":
      return [["-", `${formatBytes(change.bytes)} that are no record`]];
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
      return [["~", `${record}, without the NULs or broken characters in it`]];
    case "added":
      return [["+", "a note of where the conversation ends"]];
    case "split":
      return [["~", `${record}, on a line of its own`]];
  }
}

function summarize({ records, kept, recovered, relinked, mended, dropped }: PlanSummary): string {
  const parts = [`${kept} of ${records} records as they were`];
  if (recovered > 0) parts.push(`${recovered} from the snapshot`);
  if (relinked > 0) parts.push(`${relinked} linked anew`);
  if (mended > 0) parts.push(`${mended} mended`);
  if (dropped > 0) parts.push(`${dropped} ${dropped === 1 ? "piece" : "pieces"} cut out`);
  return parts.join(", ");
}

function jsonOf({ report, plan, backup }: RepairResult, dryRun: boolean): object {
  return {
    session: report.sessionId ?? null,
    path: report.path,
    ...(dryRun ? { dryRun: true } : { repaired: backup !== undefined }),
    defects: report.defects,
    summary: plan?.summary ?? null,
    changes: plan?.changes ?? [],
    backup: backup ?? null,
  };
}

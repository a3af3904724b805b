import { currentEnvironment } from "../../app/environment.ts";
import { chooseSession } from "../../app/choose-session.ts";
import { planRestore, type RestorePlan, restoreSession } from "../../app/restore.ts";
import { markChoice } from "../../app/mark-choice.ts";
import { formatBytes, formatDuration, formatTime } from "../format.ts";
import { oneLine } from "../one-line.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "puts a transcript back as it was at a mark; keeps what it replaces",
  details: `The present transcript is kept under backups/ and comes back with "session-snapshot undo".
Refused while a running claude holds the session.`,
  args: {
    session: { type: "positional", required: false, description: "id or its beginning; unsaid: the newest one here" },
    to: {
      type: "string",
      valueHint: "mark",
      description: "a mark's number, 10m (ago), 14:05, or fit; unsaid: the newest",
    },
    "dry-run": { type: "boolean", description: "print the plan and change nothing" },
    force: { type: "boolean", description: "even while a running claude holds the session" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot restore", "the newest mark of the newest session here, also when the transcript is gone"],
    ["session-snapshot restore 1b9d6bcd --to 3 --dry-run", "what restoring mark 3 would do"],
    ["session-snapshot restore --to fit", "the newest mark that leaves half the context free"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const sessionId = chooseSession(environment, args.session, process.cwd());
    const choice = markChoice(args.to, environment.now());
    const request = { sessionId, choice, force: args.force === true };
    if (args["dry-run"]) {
      const plan = planRestore(environment, request);
      if (output.mode === "json") output.json({ dryRun: true, ...jsonOf(plan) });
      else output.data(describePlan(plan, environment.now()).map(oneLine).join("\n"));
      return;
    }
    const { plan, backup } = await restoreSession(environment, request);
    if (output.mode === "json") return output.json({ ...jsonOf(plan), restored: !plan.unchanged });
    if (plan.sideFiles.length > 0) output.note(`Put back ${plan.sideFiles.length} side files.`);
    if (plan.unchanged) {
      output.note(`Nothing to do: ${oneLine(plan.target)} is exactly as at mark ${plan.mark.n}.`);
      if (plan.earlier) output.note(earlierHint(sessionId, plan.earlier));
      return;
    }
    output.success(`Restored session ${sessionId} to mark ${plan.mark.n} (${formatBytes(plan.mark.size)}, verified).`);
    if (backup?.kept) output.note(`What it replaced is kept; session-snapshot undo ${sessionId} brings it back.`);
    output.note(`Go on with: claude --resume ${sessionId}`);
  },
});

function earlierHint(sessionId: string, { n, size }: RestorePlan["mark"]): string {
  return `An earlier life of this transcript is kept: session-snapshot restore ${sessionId} --to ${n} (${formatBytes(size)})`;
}

function jsonOf({ sessionId, mark, earlier, ...rest }: RestorePlan): object {
  const time = new Date(mark.time).toISOString();
  return { session: sessionId, mark: { ...mark, time }, ...rest, earlierMark: earlier?.n ?? null };
}

function replaced(currentSize: number | null, backup: string | null): string {
  if (currentSize === null) return "nothing, there is no such file now";
  // What stays as it is needs no backup.
  return backup === null ? formatBytes(currentSize) : `${formatBytes(currentSize)}, kept as ${backup}`;
}

function describePlan(plan: RestorePlan, now: number): string[] {
  const { mark, target, currentSize, backup, sideFiles, unchanged, sessionId } = plan;
  const lines = [
    `session   ${sessionId}`,
    `mark      ${mark.n} of generation ${plan.generation}, ${formatTime(mark.time, now)} (${formatDuration(now - mark.time)} ago), ${mark.reason}`,
    `write     ${target}: ${formatBytes(mark.size)}, ${mark.lines} lines`,
    `replaces  ${replaced(currentSize, backup)}`,
  ];
  for (const name of sideFiles) lines.push(`put back  ${name}`);
  if (unchanged) lines.push("The transcript is already exactly that: nothing would change.");
  if (plan.earlier) lines.push(earlierHint(sessionId, plan.earlier));
  return lines;
}

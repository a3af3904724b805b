import type { Environment } from "../../../app/environment.ts";
import { filePoint } from "../../../app/files/choose-file-mark.ts";
import { restoreFiles } from "../../../app/files/restore-files.ts";
import { splitWords } from "../../../app/files/split-words.ts";
import { chooseSession } from "../../../app/session/choose-session.ts";
import { planRestore, type RestorePlan, type RestoreResult, restoreSession } from "../../../app/snapshot/restore.ts";
import { resumingProgram } from "../../../app/snapshot/resuming-program.ts";
import { restoreChoice } from "../../../app/snapshot/restore-choice.ts";
import { Failure } from "../../../core/failure.ts";
import { formatBytes, formatCount, formatDuration, formatTime } from "../../format.ts";
import { countFiles, describeFilePlan, jsonOfFileRestore, nameFileMark } from "../../messages/file-messages.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { commonArgs, defineVerb, sessionArg } from "../../programs/verb.ts";

export default defineVerb({
  summary: "restores a transcript, or with --files your files, as they were; keeps what it replaces",
  details: `The current transcript is kept under backups/; session-snapshot undo brings it back. Refused while the
session is in use. fit is the newest point that leaves half of the context window free, else the newest that fits. A
conversation that is cut ends with a complete step, and Claude learns at the next resume what came after it. With --files
the transcript stays and the files of this project go back: HEAD, index, stash and ignored files stay as they are, and the
present state is saved first.`,
  args: {
    session: sessionArg,
    path: { type: "positional", required: false, description: "with --files: only these files and directories" },
    to: {
      type: "string",
      valueHint: "point",
      description:
        "number of a mark, t12 (end of turn 12), 10m (ago), 14:05, or fit; with --files also f7 (a file mark); default: the newest mark, of files the newest one that differs",
    },
    files: { type: "boolean", description: "restore the files of this project, not the transcript" },
    "dry-run": { type: "boolean", description: "show the plan, but change nothing" },
    force: { type: "boolean", description: "restore even while the session is in use" },
    ...commonArgs,
  },
  lastRepeats: true,
  examples: [
    ["session-snapshot restore", "restores the newest mark of the newest session in this directory"],
    ["session-snapshot restore 1b9d6bcd --to 3 --dry-run", "shows what restoring mark 3 would do"],
    ["session-snapshot restore --to fit", "restores the newest point that leaves half the context free"],
    ["session-snapshot restore --files", "takes back the last change of the files of this project"],
    ["session-snapshot restore --files --to f3 src", "puts src back as it was at file mark f3"],
  ],
  async run(args, output, { environment }) {
    if (args.files) return restoreFilesHere(environment, args, output);
    if (args.path !== undefined) throw new Failure("usage", `unexpected argument "${args.path}"`);
    const sessionId = chooseSession(environment, args.session, process.cwd());
    const choice = restoreChoice(args.to, environment.now());
    const request = { sessionId, choice, force: args.force === true };
    if (args["dry-run"]) {
      const plan = planRestore(environment, request);
      if (output.mode === "json") output.json({ dryRun: true, ...jsonOf(plan) });
      else output.data(describePlan(plan, environment.now()).map(oneLine).join("\n"));
      return;
    }
    const { plan, backup, after } = await restoreSession(environment, request);
    if (output.mode === "json") {
      return output.json({ ...jsonOf(plan), restored: !plan.unchanged, after: after ?? null });
    }
    if (plan.sideFiles.length > 0)
      output.note(`Restored ${plan.sideFiles.length} side file${plan.sideFiles.length === 1 ? "" : "s"}.`);
    if (plan.unchanged) {
      const rest = plan.sideFiles.length > 0 ? "Nothing else to do" : "Nothing to do";
      output.note(`${rest}: ${oneLine(plan.target)} is exactly as at ${nameOf(plan)}.`);
      if (plan.earlier) output.note(earlierHint(sessionId, plan.earlier));
      return;
    }
    output.success(`Restored session ${sessionId} to ${nameOf(plan)} (${formatBytes(plan.point.size)}, verified).`);
    if (plan.movedFrom !== null) output.note(movedNote(plan));
    if (plan.mark && plan.point.size < plan.mark.size)
      output.note(
        "The mark is in the middle of a tool call; the conversation now ends with the last complete step before it.",
      );
    if (backup?.kept) output.note(`The old transcript is kept; session-snapshot undo ${sessionId} brings it back.`);
    if (after) for (const line of describeAfter(after)) output.note(line);
    output.note(`Continue with: ${after ? resumingProgram(environment) : "claude"} --resume ${sessionId}`);
  },
});

interface FileArgs {
  readonly _: readonly string[];
  readonly to?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly force?: boolean | undefined;
}

async function restoreFilesHere(environment: Environment, args: FileArgs, output: Output): Promise<void> {
  const directory = process.cwd();
  const now = environment.now();
  const dryRun = args["dry-run"] === true;
  const result = await restoreFiles(environment, {
    directory,
    ...splitWords(environment, args._, directory),
    point: args.to === undefined ? undefined : filePoint(args.to, now),
    force: args.force === true,
    dryRun,
  });
  if (output.mode === "json") return output.json({ ...(dryRun ? { dryRun } : {}), ...jsonOfFileRestore(result) });
  if (dryRun) return output.data(describeFilePlan(result, now).join("\n"));
  const name = nameFileMark(result.to, now);
  if (!result.restored) return output.note(`Nothing to do: the files are exactly as at ${name}.`);
  output.success(`Restored ${result.workspace} to ${name}: ${countFiles(result)}, verified.`);
  output.note(`The state before is kept as f${result.from.n}; session-snapshot undo brings it back.`);
  for (const { path, bytes } of result.left) {
    output.warn(`${oneLine(path)} (${formatBytes(bytes)}) was not saved with that mark, and is left as it is.`);
  }
}

function earlierHint(sessionId: string, { n, size }: NonNullable<RestorePlan["mark"]>): string {
  return `An earlier generation of this transcript is kept: session-snapshot restore ${sessionId} --to ${n} (${formatBytes(size)})`;
}

const movedNote = ({ target, movedFrom }: RestorePlan): string =>
  oneLine(`The transcript is now at ${target}; it was at ${movedFrom}.`);

function jsonOf({ sessionId, mark, point, earlier, ...rest }: RestorePlan): object {
  const inWords = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
  return {
    session: sessionId,
    mark: mark && { ...mark, time: inWords(mark.time) },
    point: { ...point, time: inWords(point.time) },
    ...rest,
    earlierMark: earlier?.n ?? null,
  };
}

const nameOf = ({ mark, point }: RestorePlan): string => (mark ? `mark ${mark.n}` : `a point in turn ${point.turn}`);

/** What Claude no longer sees, in short. */
function describeAfter({ prompt, files, commands }: NonNullable<RestoreResult["after"]>): string[] {
  const counts = [
    files.length > 0 ? `${files.length} ${files.length === 1 ? "file" : "files"} written` : "",
    commands.length > 0 ? `${commands.length} ${commands.length === 1 ? "command" : "commands"} run` : "",
  ].filter((text) => text !== "");
  const what = counts.length > 0 ? ` (${counts.join(", ")})` : "";
  const last = prompt === undefined ? [] : [`Your last prompt was: ${oneLine(prompt).slice(0, 200)}`];
  return [`Claude learns at the next resume what came after that point${what}.`, ...last];
}

function replaced(currentSize: number | null, backup: string | null): string {
  if (currentSize === null) return "nothing; the file does not exist";
  // An unchanged file needs no backup.
  return backup === null ? formatBytes(currentSize) : `${formatBytes(currentSize)}, kept as ${backup}`;
}

function describePlan(plan: RestorePlan, now: number): string[] {
  const { mark, point, target, currentSize, backup, sideFiles, unchanged, sessionId } = plan;
  const tokens = point.contextTokens === null ? "" : `, ${formatCount(point.contextTokens)} tokens`;
  const time = point.time === null ? "" : `, ${formatTime(point.time, now)} (${formatDuration(now - point.time)} ago)`;
  const place = mark
    ? `mark      ${mark.n} of generation ${plan.generation}${time}, ${mark.reason}`
    : `point     in turn ${point.turn}${time}${tokens}`;
  const lines = [
    `session   ${sessionId}`,
    place,
    `write     ${target}: ${formatBytes(point.size)}, ${point.lines} lines`,
    `replaces  ${replaced(currentSize, backup)}`,
  ];
  if (plan.movedFrom !== null) lines.push(movedNote(plan));
  for (const name of sideFiles) lines.push(`restores  ${name}`);
  if (unchanged) lines.push("The transcript already has exactly this content; nothing would change.");
  if (plan.earlier) lines.push(earlierHint(sessionId, plan.earlier));
  return lines;
}

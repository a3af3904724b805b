import { chooseUndoSession, newestUndoableHere } from "../../../app/session/choose-session.ts";
import type { Environment } from "../../../app/environment.ts";
import { lastFileRestore, undoFiles } from "../../../app/files/undo-files.ts";
import { lastRehomeHere, undoRehome } from "../../../app/rehome/rehome.ts";
import { undoRestore, type UndoResult } from "../../../app/snapshot/undo.ts";
import { quotePosixWords } from "../../../core/posix-quote.ts";
import { formatBytes } from "../../format.ts";
import { countFiles, jsonOfFileRestore, nameFileMark } from "../../messages/file-messages.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "reverses the last restore, repair or rehome of this directory, byte for byte",
  details: `The file that undo replaces is kept too. Run it again to undo the restore before that one. Refused when the
transcript has changed since the restore or repair, because newer turns would leave the conversation. The undo of a
rehome brings everything back to the old path, with all that was added since.`,
  args: {
    session: {
      type: "positional",
      required: false,
      description:
        "id, the start of it, or a repaired .jsonl file; default: the last one restored or repaired in this directory",
    },
    files: { type: "boolean", description: "undo the last restore of files, even if a transcript was restored later" },
    force: { type: "boolean", description: "undo even with newer turns, or while the session is in use" },
    ...commonArgs,
  },
  examples: [["session-snapshot undo", "undoes the last restore, repair or rehome in this directory"]],
  async run(args, output, { environment }) {
    const moved = args.files || args.session !== undefined ? undefined : lastRehome(environment);
    if (moved) return undoRehomeHere(environment, moved, output);
    if (args.files || (args.session === undefined && wereFilesLast(environment))) {
      return undoFilesHere(environment, args.force === true, output);
    }
    const sessionId = chooseUndoSession(environment, args.session, process.cwd());
    const { undone, kept, keptIn, wayBack } = await undoRestore(environment, sessionId, args.force === true);
    if (output.mode === "json")
      return output.json({ session: sessionId, undone: jsonOf(undone), kept: jsonOf(kept), wayBack });
    const what = undone.kept
      ? `${undone.target} is restored (${formatBytes(undone.kept.size)})`
      : `${undone.target} is removed, as it did not exist before`;
    output.success(`Undone: ${what}.`);
    if (!kept.kept) return;
    output.note(`The replaced file (${formatBytes(kept.kept.size)}) is kept in ${oneLine(keptIn)}.`);
    const back =
      wayBack === null
        ? quotePosixWords(["cp", keptIn, kept.target])
        : `session-snapshot restore ${sessionId} --to ${wayBack}`;
    output.note(`To bring it back: ${oneLine(back)}`);
  },
});

/** The rehome of this directory, when nothing was restored or repaired after it. */
function lastRehome(environment: Environment): number | undefined {
  const record = lastRehomeHere(environment, process.cwd());
  if (!record) return undefined;
  const files = lastFileRestore(environment, process.cwd()) ?? 0;
  const transcript = newestUndoableHere(environment, process.cwd())?.time ?? 0;
  return record.time > Math.max(files, transcript) ? record.number : undefined;
}

async function undoRehomeHere(environment: Environment, number: number, output: Output): Promise<void> {
  const { move, time } = await undoRehome(environment, number);
  if (output.mode === "json") {
    return output.json({ rehome: { number, from: move.from, to: move.to, time: new Date(time).toISOString() } });
  }
  output.success(`Undone: the records of ${oneLine(move.from)} are back under that path.`);
}

/** Whether the newest thing to undo in this directory is a restore of files. */
function wereFilesLast(environment: Environment): boolean {
  const files = lastFileRestore(environment, process.cwd());
  const transcript = files === undefined ? undefined : newestUndoableHere(environment, process.cwd());
  return files !== undefined && files > (transcript?.time ?? 0);
}

async function undoFilesHere(environment: Environment, force: boolean, output: Output): Promise<void> {
  const result = await undoFiles(environment, process.cwd(), force);
  if (output.mode === "json") return output.json(jsonOfFileRestore(result));
  const name = nameFileMark(result.to, environment.now());
  output.success(`Undone: ${result.workspace} is as at ${name} again: ${countFiles(result)}.`);
  output.note(`To bring back the state before this undo: session-snapshot restore --files --to f${result.from.n}`);
}

function jsonOf({ number, time, kind, target, kept }: UndoResult["kept"]): object {
  return { number, time: new Date(time).toISOString(), kind, target, size: kept?.size ?? null };
}

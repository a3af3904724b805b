import { chooseUndoSession } from "../../app/choose-session.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { undoRestore, type UndoResult } from "../../app/undo.ts";
import { formatBytes } from "../format.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "brings back what the last restore or repair replaced, byte for byte",
  details: "What the undo replaces in its turn is kept too. Once more undoes the restore before that one.",
  args: {
    session: {
      type: "positional",
      required: false,
      description: "id or its beginning; unsaid: the last one restored or repaired",
    },
    force: { type: "boolean", description: "even while a running claude holds the session" },
    ...commonArgs,
  },
  examples: [["session-snapshot undo", "takes the last restore or repair back"]],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const sessionId = chooseUndoSession(environment, args.session, process.cwd());
    const { undone, kept, keptIn } = await undoRestore(environment, sessionId, args.force === true);
    if (output.mode === "json") return output.json({ session: sessionId, undone: jsonOf(undone), kept: jsonOf(kept) });
    const what = undone.kept
      ? `${undone.target} is again what it was (${formatBytes(undone.kept.size)})`
      : `${undone.target} is gone again, as before`;
    output.success(`Undone: ${what}.`);
    if (kept.kept) output.note(`What it replaced (${formatBytes(kept.kept.size)}) is kept in ${keptIn}.`);
  },
});

function jsonOf({ number, time, kind, target, kept }: UndoResult["kept"]): object {
  return { number, time: new Date(time).toISOString(), kind, target, size: kept?.size ?? null };
}

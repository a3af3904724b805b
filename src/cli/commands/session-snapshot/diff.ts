import { filePoint } from "../../../app/files/choose-file-mark.ts";
import { diffFiles, type FileDifference } from "../../../app/files/diff-files.ts";
import { splitWords } from "../../../app/files/split-words.ts";
import { showInPager } from "../../../app/snapshot/pager.ts";
import { jsonOfFileMark, nameFileMark } from "../../messages/file-messages.ts";
import { paintPatch, statLines } from "../../messages/paint-patch.ts";
import { printChunks } from "../../print-chunks.ts";
import { commonArgs, defineVerb, sessionArg } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows what changed in the files between two points, or since one",
  details: `Without --from, it compares with the first file mark of the session: everything that happened in it. On a
terminal it uses $PAGER or less -R; elsewhere it prints a patch that git apply and patch can read.`,
  args: {
    session: sessionArg,
    path: { type: "positional", required: false, description: "only these files and directories" },
    from: {
      type: "string",
      valueHint: "point",
      description: "f7 (a file mark), number of a mark, t12 (end of turn 12), 10m (ago) or 14:05",
    },
    to: { type: "string", valueHint: "point", description: "the same; default: now" },
    stat: { type: "boolean", description: "only the names and the number of changed lines" },
    plain: { type: "boolean", description: "no pager, no colors" },
    ...commonArgs,
  },
  lastRepeats: true,
  examples: [
    ["session-snapshot diff", "shows what changed in this session"],
    ["session-snapshot diff --from 10m src", "shows what changed in src in the last ten minutes"],
    ["session-snapshot diff --from f3 --to f4 --stat", "shows which files one step changed"],
  ],
  async run(args, output, { environment }) {
    const directory = process.cwd();
    const now = environment.now();
    const difference = await diffFiles(environment, {
      directory,
      ...splitWords(environment, args._, directory),
      from: args.from === undefined ? undefined : filePoint(args.from, now),
      to: args.to === undefined ? undefined : filePoint(args.to, now),
      withPatch: output.mode !== "json" && args.stat !== true,
    });
    if (output.mode === "json") return output.json(jsonOf(difference));
    const { from, to, files, patch, steps } = difference;
    const until = to ? nameFileMark(to, now) : "now";
    if (files.length === 0) return output.note(`Nothing differs between ${nameFileMark(from, now)} and ${until}.`);
    const between = steps.map((mark) => nameFileMark(mark, now)).join(", ");
    output.note(`From ${nameFileMark(from, now)} to ${until}${between === "" ? "" : `; in between: ${between}`}.`);
    const onTerminal = output.isTerminal && args.plain !== true;
    if (args.stat) return output.data(statLines(files, output.colors).join("\n"));
    // A program gets the bytes as they are; a terminal must not obey them.
    if (!onTerminal) return void process.stdout.write(patch);
    const lines = paintPatch(patch.toString("utf8"), output.colors);
    if (await showInPager(lines, process.env)) return;
    await printChunks(process.stdout, lines);
  },
});

function jsonOf({ workspace, from, to, files, steps }: FileDifference): object {
  return {
    workspace,
    from: jsonOfFileMark(from),
    to: to && jsonOfFileMark(to),
    files: files.map(({ path, kind, added, removed, isBinary }) => ({
      path,
      change: kind,
      added: isBinary ? null : added,
      removed: isBinary ? null : removed,
      binary: isBinary,
    })),
    marks: steps.map(jsonOfFileMark),
  };
}

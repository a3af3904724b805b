import { planRehome, rehome } from "../../../app/rehome/rehome.ts";
import { resolveMove } from "../../../app/rehome/rehome-request.ts";
import { exitCodes } from "../../exit-codes.ts";
import { countRehome, describeCounts, describeLeft, jsonOfPlan } from "../../messages/rehome-messages.ts";
import { oneLine } from "../../one-line.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "after a project was renamed or moved: brings its sessions, snapshots, checkpoints and runs to the new path",
  details: `Claude finds the sessions of a project by the path of its directory. Run this after you moved the project. It also
moves what belongs to directories below the old path, such as worktrees. Nothing is overwritten or rewritten in a
transcript; what exists at the new place stays, and what could not move is named (exit code 3). session-snapshot undo
in the new directory reverses it.`,
  args: {
    old: { type: "positional", required: true, description: "where the project was" },
    new: { type: "positional", required: true, description: "where it is now" },
    "dry-run": { type: "boolean", description: "only show what would move" },
    force: { type: "boolean", description: "also when the old directory still exists" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot rehome ~/old-name ~/new-name", "after mv ~/old-name ~/new-name"],
    ["session-snapshot rehome /home/ann /home/anna --dry-run", "shows what would follow a renamed home"],
  ],
  async run(args, output, { environment }) {
    const move = resolveMove(environment, { from: args.old, to: args.new, force: args.force === true });
    const isDry = args["dry-run"] === true;
    const { plan, number } = isDry
      ? { plan: planRehome(environment, move), number: null }
      : await rehome(environment, move);
    const counts = describeCounts(countRehome(plan));
    if (output.mode === "json") output.json({ ...jsonOfPlan(plan), dryRun: isDry, number });
    else if (isDry && plan.steps.length === 0) output.data(`Nothing of ${oneLine(move.from)} would move.`);
    else if (isDry) {
      output.data(`Would bring ${counts} from ${oneLine(move.from)} to ${oneLine(move.to)}:`);
      for (const { sessionId, to } of plan.sessions) output.data(`  ${sessionId} → ${oneLine(to)}`);
    } else {
      output.success(`${oneLine(move.to)} has the records of ${oneLine(move.from)} now: ${counts}.`);
      output.note(`To reverse this, in that directory: session-snapshot undo`);
    }
    if (output.mode !== "json") for (const line of describeLeft(plan)) output.note(line);
    return plan.left.length > 0 ? exitCodes.partial : exitCodes.done;
  },
});

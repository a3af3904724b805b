import { joinHub } from "../../../app/hub/set-up.ts";
import { Failure } from "../../../core/failure.ts";
import { printSetUp } from "../../messages/hub-messages.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "adds this machine to the hub of another one; paste the line that hub init prints",
  details: "The line comes from stdin, because other users can read a command line and the line holds the key.",
  args: {
    line: { type: "positional", required: false, description: "- reads the line from stdin, as without it" },
    ...commonArgs,
  },
  examples: [["ai-runtime hub join", "waits for the line"]],
  async run(args, output, { environment }) {
    if (args.line !== undefined && args.line !== "-") {
      throw new Failure("usage", "the line holds the key of the hub, and other users can read a command line", {
        hint: "Run ai-runtime hub join and paste the line. If others use this machine, consider the key known to them.",
      });
    }
    if (process.stdin.isTTY) output.note("Paste the line that ai-runtime hub init printed on the other machine:");
    printSetUp(await joinHub(environment), output);
  },
});

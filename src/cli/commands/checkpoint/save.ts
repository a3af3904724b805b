import { saveWords } from "../../../app/checkpoint/checkpoint.ts";
import { readWordsFromStdin } from "../../../app/checkpoint/checkpoint-stdin.ts";
import { checkpointJson } from "../../../app/checkpoint/checkpoint-view.ts";
import { Failure } from "../../../core/failure.ts";
import { allValues, commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "saves what a new session needs to continue; fields not given stay unchanged",
  details: `Without options, it reads one JSON object from stdin: { "goal", "done": [], "next", "blocker", "files": [], "pr",
"issue", "finished" }. A new --goal clears the finished steps; --done adds one.`,
  args: {
    goal: { type: "string", valueHint: "sentence", description: "the goal of the work" },
    done: { type: "string", valueHint: "step", description: "a finished step; may be repeated" },
    next: { type: "string", valueHint: "step", description: "the immediate next step" },
    blocker: { type: "string", valueHint: "sentence", description: "what blocks the work, or must be decided" },
    file: { type: "string", valueHint: "path", description: "an important file; may be repeated" },
    pr: { type: "string", valueHint: "url", description: "the pull request" },
    issue: { type: "string", valueHint: "url", description: "the issue" },
    finished: {
      type: "boolean",
      description: "nothing is left to do: clears next and blocker; new sessions do not mention it",
    },
    ...commonArgs,
  },
  examples: [
    [
      'ai-runtime checkpoint save --goal "Ship the cart" --done "totals rounded" --next "run npm test"',
      "saves one in your words",
    ],
    ["ai-runtime checkpoint save --finished", "marks the work as finished"],
    ["ai-runtime checkpoint save < checkpoint.json", "reads it from a file"],
  ],
  async run(args, output, { environment, rawArgs }) {
    const done = allValues(rawArgs, "done");
    const files = allValues(rawArgs, "file");
    const given = {
      ...(args.goal === undefined ? {} : { goal: args.goal }),
      ...(done.length > 0 ? { done } : {}),
      ...(args.next === undefined ? {} : { next: args.next }),
      ...(args.blocker === undefined ? {} : { blocker: args.blocker }),
      ...(files.length > 0 ? { files } : {}),
      ...(args.pr === undefined ? {} : { pullRequest: args.pr }),
      ...(args.issue === undefined ? {} : { issue: args.issue }),
      ...(args.finished === true ? { finished: true } : {}),
    };
    const words = Object.keys(given).length > 0 || process.stdin.isTTY ? given : await readWordsFromStdin();
    if (Object.keys(words).length === 0) {
      throw new Failure("usage", "nothing to save: give --goal, --done, --next or --blocker, or JSON on stdin");
    }
    const saved = await saveWords(environment, process.cwd(), words);
    if (output.mode === "json") return output.json(checkpointJson(saved));
    const rest = saved.next === null ? "" : `; next ${saved.next}`;
    output.success(`Saved: ${saved.goal ?? "no goal yet"}${rest}${saved.finished ? "; finished" : ""}`);
  },
});

import { saveWords } from "../../app/checkpoint.ts";
import { readWordsFromStdin } from "../../app/checkpoint-stdin.ts";
import { checkpointJson } from "../../app/checkpoint-view.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { Failure } from "../../core/failure.ts";
import { allValues, commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "saves what a cold start needs; what is not given stays as it was",
  details: `Without options it reads one JSON object on stdin: { "goal", "done": [], "next", "blocker", "files": [], "pr", "issue",
"finished" }. A new --goal starts with nothing done; --done adds.`,
  args: {
    goal: { type: "string", valueHint: "sentence", description: "what this is all about" },
    done: { type: "string", valueHint: "step", description: "a finished step; may be repeated" },
    next: { type: "string", valueHint: "step", description: "the immediate next step" },
    blocker: { type: "string", valueHint: "sentence", description: "what stands in the way, or must be decided" },
    file: { type: "string", valueHint: "path", description: "a file that matters; may be repeated" },
    pr: { type: "string", valueHint: "url", description: "the pull request" },
    issue: { type: "string", valueHint: "url", description: "the issue" },
    finished: { type: "boolean", description: "nothing is left to do: new sessions are not told" },
    ...commonArgs,
  },
  examples: [
    ['ai-runtime checkpoint save --goal "Ship the cart" --done "totals rounded" --next "run npm test"', "in words"],
    ["ai-runtime checkpoint save --finished", "nothing left to do"],
    ["ai-runtime checkpoint save < checkpoint.json", "from a script"],
  ],
  async run(args, output, rawArgs) {
    const environment = currentEnvironment(process.env);
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
    output.success(`Saved: ${saved.goal ?? "no goal yet"}${saved.next === null ? "" : `; next ${saved.next}`}`);
  },
});

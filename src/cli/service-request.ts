import type { ArgsDef } from "citty";
import type { ServiceRequest } from "../app/service-request.ts";
import { allValues, ownWords, wordsPassedOn } from "./verb.ts";

/** What plan and install both take. */
export const serviceArgs = {
  workspace: { type: "positional", required: false, description: "the directory that claude works in; this one" },
  restart: {
    type: "enum",
    options: ["on-failure", "always"],
    valueHint: "on-failure|always",
    description: "when to start claude again: after a failure (default), or also when it ended well",
  },
  "restart-delay": { type: "string", valueHint: "time", description: "before each restart (10s)" },
  burst: { type: "string", valueHint: "count", description: "so many starts in a row, and it stays down (5)" },
  "fresh-after": {
    type: "string",
    valueHint: "time",
    description: "an older conversation is not continued (7d)",
  },
  "no-resume-on-restart": {
    type: "boolean",
    description: "no wrapper: the system starts claude itself, with your flags alone and without a terminal",
  },
  watchdog: {
    type: "string",
    valueHint: "time",
    description: "restart a claude that is at work and shows no sign of life for so long, as 10m",
  },
  env: {
    type: "string",
    valueHint: "NAME[=value]",
    description: "a variable for claude, with this or its present value; may be given more than once",
  },
} as const satisfies ArgsDef;

interface ParsedServiceArgs {
  readonly workspace?: string | undefined;
  readonly restart?: string | undefined;
  readonly "restart-delay"?: string | undefined;
  readonly burst?: string | undefined;
  readonly "fresh-after"?: string | undefined;
  readonly watchdog?: string | undefined;
}

export function serviceRequest(args: ParsedServiceArgs, rawArgs: readonly string[]): ServiceRequest {
  return {
    workspace: args.workspace,
    claudeArguments: wordsPassedOn(rawArgs),
    // The parser takes `--no-` for a negation of an option that there is none of.
    resume: !ownWords(rawArgs).includes("--no-resume-on-restart"),
    restart: args.restart === "always" ? "always" : "on-failure",
    restartDelay: args["restart-delay"],
    burst: args.burst,
    freshAfter: args["fresh-after"],
    watchdog: args.watchdog,
    variables: allValues(rawArgs, "env"),
  };
}

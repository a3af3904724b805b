import type { ArgsDef } from "citty";
import type { ServiceRequest } from "../../../app/service/service-request.ts";
import { allValues, ownWords, wordsPassedOn } from "../../programs/verb.ts";

/** The arguments of both plan and install. */
export const serviceArgs = {
  workspace: {
    type: "positional",
    required: false,
    description: "the directory that claude works in; default: this one",
  },
  restart: {
    type: "enum",
    options: ["on-failure", "always"],
    valueHint: "on-failure|always",
    description: "when to restart claude: after a failure (default), or always",
  },
  "restart-delay": { type: "string", valueHint: "time", description: "delay before each restart; default: 10s" },
  burst: { type: "string", valueHint: "count", description: "stop after this many starts in a row; default: 5" },
  "fresh-after": {
    type: "string",
    valueHint: "time",
    description: "do not continue an older conversation; default: 7d",
  },
  "no-resume-on-restart": {
    type: "boolean",
    description: "no wrapper: the system starts claude itself, with only your flags and no terminal",
  },
  watchdog: {
    type: "string",
    valueHint: "time",
    description: "restart a working claude that shows no activity for this long, such as 10m",
  },
  env: {
    type: "string",
    valueHint: "NAME[=value]",
    description: "a variable for claude, with this or its current value; may be repeated",
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
    // The parser reads `--no-…` as the negation of an option.
    resume: !ownWords(rawArgs).includes("--no-resume-on-restart"),
    restart: args.restart === "always" ? "always" : "on-failure",
    restartDelay: args["restart-delay"],
    burst: args.burst,
    freshAfter: args["fresh-after"],
    watchdog: args.watchdog,
    variables: allValues(rawArgs, "env"),
  };
}

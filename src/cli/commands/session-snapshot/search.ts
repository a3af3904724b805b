import { search, type SearchAnswer, type SearchResult } from "../../../app/search/search.ts";
import { exitCodes } from "../../exit-codes.ts";
import { formatDuration, formatTime } from "../../format.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { ProgressBar } from "../../progress-bar.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { truncate } from "../../table.ts";
import { Failure } from "../../../core/failure.ts";

const defaultLimit = 10;
const maxLimit = 200;

export default defineVerb({
  summary: "finds words in all conversations: live, compacted, restored and deleted ones",
  details: `Finds prompts, answers, tool calls, their results and errors. All words must be in one message; in any case and order.
"two words" finds a phrase (quote it for the shell: '"two words"'), conf* a beginning, -word excludes. Parts of identifiers
are words: config finds loadConfig and load_config. What looks like a key or password is shown as [masked].`,
  args: {
    words: { type: "positional", required: false, description: "what to search for" },
    project: {
      type: "string",
      valueHint: "directory",
      description: "only conversations of this directory, or part of its name",
    },
    session: {
      type: "string",
      valueHint: "id",
      description: "only this conversation: its id, the start of it, or this",
    },
    since: { type: "string", valueHint: "age", description: "only what is younger: 12h, 30d, 8w" },
    role: { type: "enum", options: ["user", "claude", "tool"], description: "only what user, claude or tool said" },
    limit: { type: "string", valueHint: "number", description: `how many results; default: ${defaultLimit}` },
    ...commonArgs,
  },
  lastRepeats: true,
  freeWords: true,
  examples: [
    ["session-snapshot search connection pool timeout", "finds messages with these words"],
    ["session-snapshot search '\"exit code 137\"' --since 30d", "finds the phrase in the last 30 days"],
    ["session-snapshot search migrat* -rollback --project .", "finds beginnings, without a word, in this project"],
  ],
  async run(args, output, { environment }) {
    const bar = new ProgressBar(output, "indexing");
    const answer = await search(environment, {
      words: args._.join(" "),
      project: args.project,
      session: args.session,
      since: args.since,
      role: args.role,
      limit: limitOf(args.limit),
      onProgress: (done, total) => bar.show(done, total),
    });
    bar.clear();
    for (const warning of answer.warnings) output.warn(warning);
    if (output.mode === "json") output.json(jsonOf(answer));
    else print(answer, output, environment.now());
    return answer.results.length > 0 ? exitCodes.done : exitCodes["not-found"];
  },
});

function limitOf(given: string | undefined): number {
  if (given === undefined) return defaultLimit;
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit;
  throw new Failure("usage", `--limit must be a number from 1 to ${maxLimit} (got "${given}")`);
}

function jsonOf({ results, isPartial }: SearchAnswer): object {
  return {
    partial: isPartial,
    results: results.map(({ time, snippet, ...rest }) => ({
      ...rest,
      time: time === null ? null : new Date(time).toISOString(),
      snippet: snippet.text,
      highlights: snippet.marks,
    })),
  };
}

function print({ results, isPartial }: SearchAnswer, output: Output, now: number): void {
  if (results.length === 0) return output.note("Nothing found.");
  if (isPartial) output.note("No message has all the words. These have some of them:");
  output.data(results.map((result) => render(result, output, now).join("\n")).join("\n\n"));
}

function render(result: SearchResult, output: Output, now: number): string[] {
  const { bold, dim } = output.colors;
  const fit = (text: string): string => truncate(oneLine(text), output.tableWidth);
  const when =
    result.time === null ? "" : ` · ${formatTime(result.time, now)} (${formatDuration(now - result.time)} ago)`;
  return [
    bold(fit(result.title ?? result.session)),
    dim(fit(`${result.project}${when} · ${speaker(result)}`)),
    `  ${highlight(result, output)}`,
    dim(`  → ${oneLine(result.resume)}`),
    ...(result.view === null ? [] : [dim(`    ${result.view}`)]),
  ];
}

const places: Record<SearchResult["place"], string> = {
  present: "",
  generation: ", no longer in the conversation",
  deleted: ", deleted by Claude",
  subagent: ", in a subagent",
  "tool-result": ", in a stored result",
};

function speaker({ role, kind, tool, outcome, exitStatus, place }: SearchResult): string {
  const who =
    role === "tool" ? `${tool ?? "tool"}${kind === "call" ? "" : " output"}` : role === "user" ? "you" : "Claude";
  const what = kind === "summary" || kind === "error" || kind === "title" ? ` (${kind})` : "";
  const end = exitStatus !== null ? ` → exit ${exitStatus}` : outcome === null ? "" : ` → ${outcome}`;
  return `${who}${what}${end}${places[place]}`;
}

function highlight({ snippet }: SearchResult, { colors }: Output): string {
  let at = 0;
  let line = "";
  for (const [start, end] of snippet.marks) {
    line +=
      oneLine(snippet.text.slice(at, start)) + colors.yellow(colors.bold(oneLine(snippet.text.slice(start, end))));
    at = end;
  }
  return line + oneLine(snippet.text.slice(at));
}

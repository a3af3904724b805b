import { runChecks } from "../../../app/doctor/doctor.ts";
import type { CheckResult } from "../../../app/doctor/check-result.ts";
import { keepTranscripts } from "../../../app/install/keep-transcripts.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import { localTimes } from "../../local-times.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows what is wrong on this machine, and the command that fixes it",
  details: `Finds claude, calls the installed hook as Claude does, and checks settings, PATH, permissions, disk space, locks,
and whether Claude will soon delete transcripts. Changes nothing. Exit code 1: something is broken.`,
  args: {
    "keep-transcripts": {
      type: "string",
      valueHint: "days",
      description: "run no checks; make Claude keep transcripts for this many days (cleanupPeriodDays)",
    },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime doctor", "prints one line per check"],
    ["ai-runtime doctor --json", "prints the same for a script"],
    ["ai-runtime doctor --keep-transcripts 365", "keeps transcripts for a year; Claude's default is 30 days"],
  ],
  async run(args, output, { environment }) {
    const days = args["keep-transcripts"];
    if (days !== undefined) {
      const { settingsPath, before, backup } = await keepTranscripts(environment, readDays(days));
      if (output.mode === "json") output.json({ settingsPath, before: before ?? null, backup: backup ?? null });
      if (backup) output.note(`${settingsPath} as it was: ${backup}`);
      output.success(`Claude keeps transcripts for ${readDays(days)} days.`);
      return exitCodes.done;
    }
    const results = await runChecks(environment);
    const hasFailed = results.some(({ state }) => state === "failed");
    if (output.mode === "json") output.json({ ok: !hasFailed, findings: results.map(jsonOf) });
    else output.data(results.flatMap((result) => render(result, output)).join("\n"));
    if (output.mode === "human") output.note(verdict(results));
    return hasFailed ? exitCodes.failed : exitCodes.done;
  },
});

/** With zero, Claude keeps no transcript at all, and there would be nothing to resume. */
function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days > 0) return days;
  throw new Failure("usage", `--keep-transcripts must be a number of days >= 1 (got "${text}")`);
}

/** Scripts depend on these words. */
const jsonStates = { ok: "good", warning: "doubtful", failed: "broken" } as const;

const jsonOf = (result: CheckResult): object => ({ ...result, state: jsonStates[result.state] });

const nameWidth = 11;

function render({ name, state, message, fix }: CheckResult, output: Output): string[] {
  const { green, yellow, red, bold } = output.colors;
  const mark = { ok: green("✔"), warning: yellow("!"), failed: red("✘") }[state];
  const indent = " ".repeat(nameWidth + 4);
  const width = Math.max(20, output.width - indent.length);
  const [first = "", ...rest] = Bun.wrapAnsi(oneLine(localTimes(message, Date.now())), width, { trim: true }).split(
    "\n",
  );
  return [
    `${mark} ${name.padEnd(nameWidth)}  ${first}`,
    ...rest.map((line) => indent + line),
    ...(fix === null ? [] : [`${indent}→ ${bold(oneLine(fix))}`]),
  ];
}

function verdict(results: readonly CheckResult[]): string {
  const count = (state: CheckResult["state"]): number => results.filter((result) => result.state === state).length;
  const failed = count("failed");
  if (failed > 0)
    return `\n${failed === 1 ? "1 check" : `${failed} checks`} failed. The arrow (→) shows the command that fixes it.`;
  return count("warning") > 0 ? "\nNothing is broken. The arrows (→) show what to improve." : "\nEverything is fine.";
}

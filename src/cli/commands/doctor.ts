import { examine } from "../../app/doctor.ts";
import { currentEnvironment } from "../../app/environment.ts";
import type { Finding } from "../../app/finding.ts";
import { keepTranscripts } from "../../app/keep-transcripts.ts";
import { Failure } from "../../core/failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { localTimes } from "../local-times.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "what is wrong on this machine, and the command that mends it",
  details: `Finds claude, calls the installed hook as Claude would, checks settings, PATH, permissions, disk, locks, and
whether Claude is about to delete transcripts. Changes nothing; exit code 1 when something is broken.`,
  args: {
    "keep-transcripts": {
      type: "string",
      valueHint: "days",
      description: "instead: tell Claude to keep transcripts for so many days (its cleanupPeriodDays)",
    },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime doctor", "one line for each thing looked at"],
    ["ai-runtime doctor --json", "for a script"],
    ["ai-runtime doctor --keep-transcripts 365", "Claude deletes them after 30 days otherwise"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const days = args["keep-transcripts"];
    if (days !== undefined) {
      const { settingsPath, before, backup } = await keepTranscripts(environment, readDays(days));
      if (output.mode === "json") output.json({ settingsPath, before: before ?? null, backup: backup ?? null });
      if (backup) output.note(`${settingsPath} as it was: ${backup}`);
      output.success(`Claude keeps transcripts for ${readDays(days)} days.`);
      return exitCodes.done;
    }
    const findings = await examine(environment);
    const isBroken = findings.some(({ state }) => state === "broken");
    if (output.mode === "json") output.json({ ok: !isBroken, findings });
    else output.data(findings.flatMap((finding) => render(finding, output)).join("\n"));
    if (output.mode === "human") output.note(verdict(findings));
    return isBroken ? exitCodes.failed : exitCodes.done;
  },
});

/** Zero means to Claude that no transcript is kept at all: then there would be nothing to resume. */
function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days > 0) return days;
  throw new Failure("usage", `--keep-transcripts cannot be "${text}"; it is a number of days, one at least`);
}

const nameWidth = 11;

function render({ name, state, message, fix }: Finding, output: Output): string[] {
  const { green, yellow, red, bold } = output.colors;
  const mark = { good: green("✔"), doubtful: yellow("!"), broken: red("✘") }[state];
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

function verdict(findings: readonly Finding[]): string {
  const count = (state: Finding["state"]): number => findings.filter((finding) => finding.state === state).length;
  const [broken, doubtful] = [count("broken"), count("doubtful")];
  if (broken === 1) return "\nOne thing is broken; the arrow says how to mend it.";
  if (broken > 1) return `\n${broken} things are broken; the arrows say how to mend them.`;
  return doubtful > 0 ? "\nNothing is broken; the arrows say what could be better." : "\nAll is well.";
}

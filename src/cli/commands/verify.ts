import { chooseTranscript } from "../../app/choose-transcript.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { verifyAll, type VerifyReport, verifyTranscript } from "../../app/verify.ts";
import { Failure } from "../../core/failure.ts";
import { renderReport } from "../defect-report.ts";
import { exitCodes } from "../exit-codes.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "checks a transcript, and that it has what its snapshot has",
  details: `Claude leaves out what it cannot read, without a word. This names each defect: where it is, what Claude loses
because of it, and how repair would mend it. Nothing is changed. Exit code 6 when there is damage; what is marked
"no damage" is worth knowing, and Claude copes with it.`,
  args: {
    session: {
      type: "positional",
      required: false,
      description: "id, its beginning, or a .jsonl file; unsaid: the newest transcript here",
    },
    all: { type: "boolean", description: "every transcript that Claude has" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot verify", "the newest transcript of this directory"],
    ["session-snapshot verify --all", "every one; exit 6 when any is damaged"],
    ["session-snapshot verify copy.jsonl --json", "a file, for a script"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    if (args.all && args.session !== undefined) throw new Failure("usage", "give a session or --all, not both");
    if (!args.all) {
      const report = verifyTranscript(environment, chooseTranscript(environment, args.session, process.cwd()));
      if (output.mode === "json") output.json(jsonOf(report));
      else output.data(renderReport(report, output).join("\n"));
      if (report.repairable) output.note(`\nMend it with: session-snapshot repair ${report.sessionId ?? report.path}`);
      return report.damaged ? exitCodes.corrupt : exitCodes.done;
    }
    let count = 0;
    const damaged: VerifyReport[] = [];
    const reports: object[] = [];
    for (const report of verifyAll(environment)) {
      count++;
      if (report.damaged) damaged.push(report);
      if (output.mode === "json") reports.push(jsonOf(report));
      else if (report.damaged) output.data(`${renderReport(report, output).join("\n")}\n`);
    }
    if (count === 0) throw new Failure("not-found", "Claude has no transcripts");
    if (output.mode === "json") output.json({ transcripts: reports, damaged: damaged.length });
    else output.data(summarize(count, damaged));
    return damaged.length > 0 ? exitCodes.corrupt : exitCodes.done;
  },
});

function summarize(count: number, damaged: readonly VerifyReport[]): string {
  const all = count === 1 ? "1 transcript" : `${count} transcripts`;
  if (damaged.length === 0) return `${all}, all clean.`;
  const repairable = damaged.filter((report) => report.repairable).length;
  return `${all}, ${damaged.length} damaged, ${repairable} of them can be repaired.`;
}

function jsonOf({ sessionId, damaged, ...report }: VerifyReport): object {
  return { session: sessionId ?? null, clean: !damaged, ...report };
}

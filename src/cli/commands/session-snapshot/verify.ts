import { chooseTranscript } from "../../../app/session/choose-transcript.ts";
import { type SessionReport, verifyAll, verifySession } from "../../../app/repair/verify.ts";
import { Failure } from "../../../core/failure.ts";
import { jsonOfSideFile, jsonOfSubagent, renderReport } from "../../messages/defect-report.ts";
import { exitCodes } from "../../exit-codes.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "checks a transcript and its side files for damage, and compares them with the snapshot",
  details: `Claude silently skips what it cannot read. This command shows each defect: where it is, what Claude loses because of
it, and how repair would fix it. It changes nothing. Exit code 6: there is damage. Exit code 3: there is none, but two
processes have written to the conversation, and the next resume does not see the turns of one. Defects marked "no
damage" need no repair. It also names each subagent that a limit, an API error or the end of Claude Code ended before
its work was done, and where its transcript is.`,
  args: {
    session: {
      type: "positional",
      required: false,
      description: "id, the start of it, or a .jsonl file; default: the newest transcript of this directory",
    },
    all: { type: "boolean", description: "check every transcript that Claude has" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot verify", "checks the newest transcript of this directory"],
    ["session-snapshot verify --all", "checks all of them; exit code 6 when one is damaged"],
    ["session-snapshot verify copy.jsonl --json", "checks a file, for a script"],
  ],
  async run(args, output, { environment }) {
    if (args.all && args.session !== undefined) throw new Failure("usage", "give a session or --all, not both");
    if (!args.all) {
      const report = verifySession(environment, chooseTranscript(environment, args.session, process.cwd()));
      if (output.mode === "json") output.json(jsonOf(report));
      else output.data(renderReport(report, output).join("\n"));
      if (report.repairable || report.sideFiles.some(({ copy }) => copy))
        output.note(`\nRepair it with: session-snapshot repair ${report.sessionId ?? report.path}`);
      return exitCodeOf([report]);
    }
    let count = 0;
    const found: SessionReport[] = [];
    const reports: object[] = [];
    for (const report of verifyAll(environment)) {
      count++;
      const isFinding = isDamaged(report) || report.forked;
      if (isFinding) found.push(report);
      if (output.mode === "json") reports.push(jsonOf(report));
      else if (isFinding) output.data(`${renderReport(report, output).join("\n")}\n`);
    }
    if (count === 0) throw new Failure("not-found", "Claude has no transcripts");
    const damaged = found.filter(isDamaged).length;
    const forked = found.filter((report) => report.forked).length;
    if (output.mode === "json") output.json({ transcripts: reports, damaged, forked });
    else output.data(summarize(count, found));
    return exitCodeOf(found);
  },
});

const isDamaged = ({ damaged, sideFiles }: SessionReport): boolean => damaged || sideFiles.length > 0;

const isRepairable = ({ damaged, repairable, sideFiles }: SessionReport): boolean =>
  (!damaged || repairable) && sideFiles.every(({ copy }) => copy);

function exitCodeOf(reports: readonly SessionReport[]): number {
  if (reports.some(isDamaged)) return exitCodes.corrupt;
  return reports.some(({ forked }) => forked) ? exitCodes.partial : exitCodes.done;
}

function summarize(count: number, found: readonly SessionReport[]): string {
  const all = count === 1 ? "1 transcript" : `${count} transcripts`;
  if (found.length === 0) return `${all}, all clean.`;
  const damaged = found.filter(isDamaged);
  const forked = found.filter((report) => report.forked).length;
  const repairable = damaged.filter(isRepairable).length;
  const parts = [
    ...(damaged.length > 0 ? [`${damaged.length} damaged, ${repairable} of them can be repaired`] : []),
    ...(forked > 0 ? [`${forked} written by two processes at once`] : []),
  ];
  return `${all}, ${parts.join("; ")}.`;
}

function jsonOf({ sessionId, damaged, ...report }: SessionReport): object {
  const clean = !isDamaged({ sessionId, damaged, ...report });
  const sideFiles = report.sideFiles.map(jsonOfSideFile);
  return { session: sessionId ?? null, clean, ...report, sideFiles, subagents: report.subagents.map(jsonOfSubagent) };
}

import { reportError } from "../errors.ts";
import { guardStreams } from "../guard-streams.ts";
import { renderHelp, versionLine } from "../help.ts";

/** A drop-in for claude: all but a lone --version or --help goes to claude untouched. */
export async function run(argv: string[]): Promise<void> {
  const only = argv.length === 1 ? argv[0] : undefined;
  if (only === "--version") return print(versionLine("cclaude"));
  if (only === "--help") return print(help);
  try {
    const { passThrough } = await import("../../app/pass-through.ts");
    const end = await passThrough(argv, process.env);
    // Died of a signal: so do we, for a shell to see the same as from claude itself.
    if (end.signal) process.kill(process.pid, end.signal);
    process.exitCode = end.exitCode;
  } catch (error) {
    const report = reportError(error, "cclaude", false);
    process.stderr.write(`${report.text}\n`);
    process.exitCode = report.exitCode;
  }
}

function print(text: string): void {
  guardStreams("cclaude");
  process.stdout.write(text);
}

const help = renderHelp({
  name: "cclaude",
  summary: "claude, with everything passed through",
  usage: "cclaude [anything that claude takes]",
  details: `Arguments, input, output, terminal, signals and exit code are claude's own; see claude --help for its flags.`,
  sections: [
    { title: "Environment", rows: [["CCLAUDE_CLAUDE_BIN", "the claude to start, instead of the first one on PATH"]] },
    {
      title: "Options",
      rows: [
        ["--help", "show this help (alone; otherwise it is claude's)"],
        ["--version", "print name and version (alone; otherwise it is claude's)"],
      ],
    },
  ],
  examples: [
    ["cclaude --continue", "goes on with the last conversation here"],
    ['cclaude -p "list the tests" --output-format json', "one answer, as claude -p"],
  ],
});

import { runProgram } from "../program.ts";

export const run = (argv: string[]): Promise<void> =>
  runProgram(
    {
      name: "ai-runtime",
      summary: "nothing that Claude Code was doing is ever lost",
      verbs: {},
      moreHelp: [
        {
          title: "Programs (also started by these names)",
          rows: [
            ["session-snapshot", "snapshots of Claude's transcripts: take, list, restore"],
            ["cclaude", "starts claude with everything passed through"],
          ],
        },
      ],
      examples: [
        ["ai-runtime session-snapshot status", "the snapshots on this machine"],
        ["ai-runtime cclaude --continue", "claude, as if started directly"],
      ],
    },
    argv,
  );

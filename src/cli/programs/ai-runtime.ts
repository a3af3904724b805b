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
            ["cclaude", "claude, and it goes on by itself after overload, crash and limit"],
          ],
        },
      ],
      examples: [
        ["ai-runtime session-snapshot status", "the snapshots on this machine"],
        ["ai-runtime cclaude --continue", "claude, with the last conversation here"],
      ],
    },
    argv,
  );

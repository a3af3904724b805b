import type { ClaudeVersion } from "../../../test/support/sandbox/claude-versions.ts";

/** One way to run Claude Code. A new way is one more row. */
export interface Way {
  readonly name: string;
  /** `CLAUDE` stands for the client, `TASK` for the prompt and the flags. */
  readonly command: string;
  readonly isTerminal: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** After a crash of everything, the user calls `ai-runtime recover --all`. */
  readonly isOurs: boolean;
  /** Left out for clients that do not have it. */
  readonly without?: readonly ClaudeVersion[];
}

const watchdog = { env: { CLAUDE_CODE_RETRY_WATCHDOG: "1" }, without: ["2.1.36"] } as const;

export const ways: readonly Way[] = [
  { name: "claude -p", command: "CLAUDE -p TASK", isTerminal: false, isOurs: false },
  { name: "claude -p, watchdog", command: "CLAUDE -p TASK", isTerminal: false, isOurs: false, ...watchdog },
  { name: "cclaude -p", command: "cclaude -p TASK", isTerminal: false, isOurs: true },
  { name: "ai-runtime run", command: "ai-runtime run TASK", isTerminal: false, isOurs: true },
  { name: "claude", command: "CLAUDE TASK", isTerminal: true, isOurs: false },
  { name: "claude, watchdog", command: "CLAUDE TASK", isTerminal: true, isOurs: false, ...watchdog },
  { name: "cclaude --direct", command: "cclaude --direct TASK", isTerminal: true, isOurs: true },
  { name: "cclaude", command: "cclaude TASK", isTerminal: true, isOurs: true },
];

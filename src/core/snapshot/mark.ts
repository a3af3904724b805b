/** A saved point of a snapshot: the first `size` bytes of the transcript, and what was known at that point. */
export interface Mark {
  /** Counts up over all generations of a session; never reused. */
  n: number;
  /** Milliseconds since 1970. */
  time: number;
  /** The hook event or our command that saved it. */
  reason: string;
  size: number;
  lines: number;
  /** Tokens of the last request before it; null when the transcript does not say. */
  contextTokens: number | null;
  lastStep: string | null;
  /** Hash of the first `size` bytes; see docs/FORMAT.md. */
  hash: string;
  /** Claude's last message, when the hook received it before the transcript. */
  lastMessage?: string;
  /** Covers saved bytes that have no mark yet. The next copy replaces it, so only the last one can be open. */
  open?: true;
}

/** The marks without the open one. */
export const settledMarks = (marks: readonly Mark[]): readonly Mark[] =>
  marks.at(-1)?.open ? marks.slice(0, -1) : marks;

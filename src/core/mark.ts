/** A point in a transcript that can be gone back to: the first `size` bytes, and what was known there. */
export interface Mark {
  /** Counts up over all generations of a session and is never used again. */
  n: number;
  /** Milliseconds since 1970. */
  time: number;
  /** The hook event, or the command of ours, that took it. */
  reason: string;
  size: number;
  lines: number;
  /** What the last request before it carried; null when the transcript does not say. */
  contextTokens: number | null;
  lastStep: string | null;
  /** Of the first `size` bytes; see docs/FORMAT.md. */
  hash: string;
  /** Claude's last words when the hook had them before the transcript did. */
  lastMessage?: string;
}

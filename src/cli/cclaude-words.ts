import type { Note } from "../app/talk.ts";
import { formatClock, formatDuration, formatRemaining, formatTime } from "./format.ts";

/** What cclaude says, each in one line: what it does and why, or what there is to do. */
export function describeNote(note: Note, now: number): string {
  switch (note.kind) {
    case "resuming": {
      const what = note.cause === "server" ? "the API failed" : `claude ended unexpectedly (${note.how})`;
      const when = note.delay >= 1_000 ? ` in ${formatDuration(note.delay)}` : "";
      return `${what}; resuming session ${note.sessionId}${when}`;
    }
    case "restored":
      return (
        `the conversation outgrew its context; went back to mark ${note.mark} of ${formatTime(note.time, now)}, resuming ` +
        `(session-snapshot undo ${note.sessionId} brings the rest back)`
      );
    case "waiting":
      return `${limit(note)}; waiting until ${moment(note.until, now)}, then resuming session ${note.sessionId}`;
    case "not-waiting":
      return `${limit(note)} until ${moment(note.until, now)}; not waiting. Go on with: ${resume(note.sessionId)}`;
    case "stopped-waiting":
      return `stopped waiting. Go on with: ${resume(note.sessionId)}`;
    case "continuing":
      return `the usage limit has reset; resuming session ${note.sessionId}`;
    case "gave-up":
      return note.cause === "overload"
        ? `the conversation overflowed again after three restores; everything is kept. See session-snapshot list ${note.sessionId}`
        : `gave up after several restarts without an answer; nothing is lost. Go on with: ${resume(note.sessionId)}`;
    case "no-restore-point":
      return `the conversation outgrew its context, and no snapshot is small enough. See session-snapshot list ${note.sessionId}`;
    case "went-on-elsewhere":
      return `session ${note.sessionId} went on elsewhere in the meantime; left alone`;
    case "repaired":
      return `the transcript was damaged and is repaired (session-snapshot undo ${note.sessionId} brings it back as it was)`;
    case "help":
      return helps[note.cause];
    case "trouble":
      return `cannot tell how to go on: ${note.message}`;
  }
}

const helps = {
  authentication: "claude could not log in, so waiting would not help. Run claude and /login, or check the API key",
  billing: "the account has no credit, so waiting would not help. Add credit, then go on with: cclaude --continue",
  "not-started": "claude ended before a conversation began; its own words are above, its flags in claude --help",
} as const;

const limit = ({ known }: { known: boolean }): string =>
  known ? "usage limit reached" : "rate limit reached, no reset time given";

const moment = (until: number, now: number): string => `${formatClock(until, now)} (${formatRemaining(until - now)})`;

const resume = (sessionId: string): string => `cclaude --resume ${sessionId}`;

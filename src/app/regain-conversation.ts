import { readEnding } from "../claude/transcript-ending.ts";
import type { Mark } from "../core/mark.ts";
import { removeFile } from "../io/durable.ts";
import { withFile } from "../io/read-file.ts";
import { linesBackwards } from "../io/read-lines-backwards.ts";
import { keepBackup, markDone } from "../store/backups.ts";
import { withPlainMirror } from "../store/mirror.ts";
import { type Generation, viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { currentClock } from "./gather-evidence.ts";
import { findLiveClaude } from "./live-session.ts";
import { restoreSession } from "./restore.ts";
import { withSession } from "./session-guard.ts";
import { startOver } from "./snapshot.ts";
import { verifyTranscript } from "./verify.ts";

export type Regained =
  | { readonly kind: "there" }
  /** It was gone or empty, and is back from its snapshot. */
  | { readonly kind: "restored"; readonly mark: Mark }
  /** Claude had died before a conversation began. What it left is kept elsewhere: a start under the same id would be refused. */
  | { readonly kind: "set-aside" }
  | { readonly kind: "nothing" };

/** What there is to go on with, before a session is resumed; Claude deletes transcripts, and a power cut empties them. */
export async function regainConversation(environment: Environment, sessionId: string): Promise<Regained> {
  const path = findTranscript(environment, sessionId);
  if (path !== undefined && isSpoken(environment, path)) return { kind: "there" };
  if (findLiveClaude(environment, sessionId, path) !== undefined) return { kind: "nothing" };
  const mark = newestSpoken(environment, sessionId);
  if (mark) {
    await restoreSession(environment, { sessionId, choice: { kind: "number", n: mark.n }, force: false });
    return { kind: "restored", mark };
  }
  if (path === undefined) return { kind: "nothing" };
  // Damaged, it may have been a conversation: whoever looks at it next can mend it, and it is not begun anew.
  if (!isStub(environment, sessionId, path)) return { kind: "there" };
  await setAside(environment, sessionId, path);
  return { kind: "set-aside" };
}

const isSpoken = (environment: Environment, path: string, most = Infinity): boolean =>
  withFile(path, ({ fd, size }) => {
    const lines = linesBackwards(fd, Math.min(size, most));
    return readEnding(lines, 0, currentClock(environment)).spoken;
  }) ?? false;

function newestSpoken(environment: Environment, sessionId: string): Mark | undefined {
  const view = viewSession(environment.paths, sessionId);
  if (typeof view === "string") return undefined;
  const speaks = (generation: Generation): boolean =>
    generation.marks.length > 0 &&
    withPlainMirror(generation, generation.size, (path) => isSpoken(environment, path, generation.size));
  return view.generations.findLast(speaks)?.marks.at(-1);
}

/** Nothing but bookkeeping, or not even that. */
function isStub(environment: Environment, sessionId: string, path: string): boolean {
  const { defects, more } = verifyTranscript(environment, { path, sessionId, isOwn: true });
  const isEmpty = defects.some(({ kind }) => kind === "empty-file" || kind === "stub-file");
  return isEmpty && more === 0 && defects.every(({ kind }) => harmless.has(kind));
}

const harmless = new Set<string>(["empty-file", "stub-file", "torn-tail"]);

function setAside(environment: Environment, sessionId: string, path: string): Promise<void> {
  const { paths, now } = environment;
  return withSession(environment, sessionId, () => {
    const backup = keepBackup(paths, { sessionId, kind: "repair", target: path, replacement: null, now: now() });
    removeFile(path);
    markDone(paths, backup);
    if (viewSession(paths, sessionId) !== "none") startOver(environment, sessionId, path, "repair");
  });
}

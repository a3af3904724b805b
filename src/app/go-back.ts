import { digestLines, joinDigests } from "../claude/digest.ts";
import type { Digest } from "../core/context-message.ts";
import type { Evidence } from "../core/ending.ts";
import type { Mark } from "../core/mark.ts";
import { chooseRestorePoint } from "../core/restore-point.ts";
import { fileSize, withFile } from "../io/read-file.ts";
import { linesBackwards } from "../io/read-lines-backwards.ts";
import { backupFile } from "../store/backups.ts";
import { allMarks, viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import type { FoundSession } from "./find-session.ts";
import { mendWhenSafe } from "./prepare-resume.ts";
import { restoreSession } from "./restore.ts";

/** A restore of this run: where it went back to, and what lies after that. */
export interface WentBack {
  mark: Mark;
  digest: Digest;
}

/** Puts an overloaded session back to where it fits; undefined when no mark does. `before` is the last time it was done. */
export async function goBack(
  environment: Environment,
  session: FoundSession,
  evidence: Pick<Evidence, "finalError" | "contextTokens">,
  before: WentBack | undefined,
): Promise<WentBack | undefined> {
  const view = viewSession(environment.paths, session.id);
  if (typeof view === "string") return undefined;
  const mark = chooseRestorePoint(allMarks(view), {
    size: fileSize(session.transcriptPath) ?? 0,
    maximum: evidence.finalError?.kind === "too-long" ? evidence.finalError.maximum : undefined,
    accepted: evidence.contextTokens,
    previous: before?.mark,
  });
  if (!mark) return undefined;
  const choice = { kind: "number", n: mark.n } as const;
  const { backup } = await restoreSession(environment, { sessionId: session.id, choice, force: false });
  // Cut in mid-turn it may name an end that is another's.
  await mendWhenSafe(environment, session.id);
  const replaced = backup && backupFile(environment.paths, backup);
  return { mark, digest: replaced === undefined ? nothing : digestAfter(replaced, mark, before) };
}

const nothing: Digest = { prompt: undefined, files: [], commands: [], lastWords: undefined };

/** What an earlier restore took away lies between what is before its mark and what was added since. */
function digestAfter(path: string, mark: Mark, before: WentBack | undefined): Digest {
  if (!before) return digestRange(path, mark.size, undefined);
  const earlier = digestRange(path, mark.size, before.mark.size);
  return joinDigests(joinDigests(earlier, before.digest), digestRange(path, before.mark.size, undefined));
}

function digestRange(path: string, from: number, to: number | undefined): Digest {
  const digest = withFile(path, ({ fd, size }) => {
    const lines: string[] = [];
    let left = (to ?? size) - from;
    for (const line of linesBackwards(fd, to ?? size)) {
      left -= Buffer.byteLength(line) + 1;
      if (left < 0) break;
      lines.push(line);
    }
    return digestLines(lines.toReversed());
  });
  return digest ?? nothing;
}

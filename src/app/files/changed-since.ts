import { lastSpoken } from "../../claude/transcript/last-spoken.ts";
import { changedFilesMessage, lastKnownMark } from "../../core/files/changed-files-message.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { textOfBytes } from "../../io/files/byte-path.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { lockWithin } from "../../store/lock.ts";
import { compareTrees } from "../../store/trees/read-trees.ts";
import { capture, openTrees } from "../../store/trees/tree-marks.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import { treeLock } from "../../store/trees/tree-paths.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { captureOptions, findWorkspace } from "./workspace.ts";

interface ResumedSession {
  sessionId: string;
  transcriptPath: string | undefined;
  cwd: string;
}

const maxTailBytes = 256 * 1024;

/** What a resumed Claude must learn about the files, from the files themselves; undefined when it knows everything. */
export async function messageAboutFiles(
  environment: Environment,
  { sessionId, transcriptPath, cwd }: ResumedSession,
): Promise<string | undefined> {
  const { settings } = loadSettings(environment);
  const timeoutMs = settings["files.waitSeconds"] * 1_000;
  const workspace = findWorkspace(environment, settings, cwd);
  if ("why" in workspace) return undefined;
  const record = readRecord(workspace.git.directory);
  if (record === undefined || record === "damaged") return undefined;
  const known = lastKnownMark(record.marks, sessionId, lastWordsAt(transcriptPath));
  if (!known) return undefined;
  makeDirectory(environment.paths.locks);
  const lock = await lockWithin(treeLock(environment.paths, workspace.root), timeoutMs);
  if (!lock) return undefined;
  try {
    const git = { ...workspace.git, signal: AbortSignal.timeout(timeoutMs) };
    const trees = openTrees(git, workspace.root);
    const { tree } = await capture(trees, captureOptions(environment, settings, workspace));
    const changes = await compareTrees(git, known.tree, tree);
    return changedFilesMessage(changes.map((change) => ({ ...change, name: textOfBytes(change.path) })));
  } finally {
    lock.release();
  }
}

function lastWordsAt(transcriptPath: string | undefined): number | undefined {
  if (transcriptPath === undefined) return undefined;
  return withFile(transcriptPath, ({ fd, size }) => lastSpoken(linesBackwards(fd, size, maxTailBytes)));
}

import { createHash } from "node:crypto";
import { type ActionDone, type ActionPlan, type SessionAction, sessionActions } from "../../core/dashboard/contract.ts";
import { Failure } from "../../core/failure.ts";
import { quotePosixWords } from "../../core/posix-quote.ts";
import { isUndoable, listBackups } from "../../store/snapshots/backups.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { filePoint } from "../files/choose-file-mark.ts";
import { type FileRestoreResult, restoreFiles } from "../files/restore-files.ts";
import { lastFileRestore, undoFiles } from "../files/undo-files.ts";
import { hostingOfClaude } from "../host/new-hosting.ts";
import { startHost } from "../host/registry.ts";
import { chooseSession } from "../session/choose-session.ts";
import { planRestore, restoreSession } from "../snapshot/restore.ts";
import { restoreChoice } from "../snapshot/restore-choice.ts";
import { undoRestore } from "../snapshot/undo.ts";

export interface ActionRequest {
  readonly sessionId: string;
  readonly action: SessionAction;
  /** The point, as `--to` of the command line names it. */
  readonly to: string | undefined;
}

export function readAction(text: string): SessionAction {
  const action = sessionActions.find((each) => each === text);
  if (action) return action;
  throw new Failure("usage", `there is no action "${text.slice(0, 40)}"`);
}

type Planned = Omit<ActionPlan, "seal" | "changes" | "isEmpty"> & Partial<Pick<ActionPlan, "changes" | "isEmpty">>;

/** What an action would do. Changes nothing; a restore of files notes the present state, as its dry run does. */
export async function planAction(environment: Environment, request: ActionRequest): Promise<ActionPlan> {
  const planned = await plan(environment, request);
  const sealed = { changes: [], isEmpty: false, ...planned };
  return {
    ...sealed,
    seal: createHash("sha256")
      .update(JSON.stringify([request, sealed]))
      .digest("hex"),
  };
}

/** Does what the plan said; refuses when the same action would do something else by now. */
export async function performAction(
  environment: Environment,
  request: ActionRequest,
  seal: string,
): Promise<ActionDone> {
  if ((await planAction(environment, request)).seal !== seal) {
    throw new Failure("locked", "something has changed since this plan was made; nothing was done", {
      hint: "Look at the new plan.",
    });
  }
  return perform(environment, request);
}

function plan(environment: Environment, request: ActionRequest): Planned | Promise<Planned> {
  const { sessionId, action, to } = request;
  const command = commandOf(environment, request);
  switch (action) {
    case "restore": {
      const { target, point, mark, currentSize, backup, unchanged, sideFiles } = planRestore(environment, {
        sessionId,
        choice: restoreChoice(to, environment.now()),
        force: false,
      });
      const place = mark ? `mark ${mark.n}, ${mark.reason}` : `end of turn ${point.turn}`;
      return {
        command,
        isEmpty: unchanged && sideFiles.length === 0,
        facts: [
          ["goes back to", place],
          ["writes", `${target}: ${point.size} bytes, ${point.lines} lines`],
          ["replaces", currentSize === null ? "nothing; the file does not exist" : `${currentSize} bytes`],
          ...(backup === null ? [] : [["keeps the old one as", backup] as const]),
          ...sideFiles.map((name) => ["puts back", name] as const),
        ],
      };
    }
    case "restore-files":
      return restoreFiles(environment, fileRequest(environment, request, true)).then(
        ({ workspace, to: mark, changes, left }) => ({
          command,
          isEmpty: changes.length === 0,
          facts: [
            ["goes back to", `file mark f${mark.n}`],
            ["in", workspace],
            ...left.map(({ path, why }) => ["leaves", `${path} (${why})`] as const),
          ],
          changes: changesOf(changes),
        }),
      );
    case "undo": {
      const last = listBackups(environment.paths, sessionId).findLast(isUndoable);
      if (!last) throw new Failure("not-found", "there is no restore or repair to undo");
      const what = last.kept ? `${last.kept.size} bytes` : "nothing: the file is removed, as it did not exist before";
      return {
        command,
        facts: [
          ["undoes", `the ${last.kind} of ${new Date(last.time).toISOString()}`],
          ["puts back", what],
          ["in", last.target],
        ],
      };
    }
    case "undo-files": {
      const time = lastFileRestore(environment, directoryOf(environment, sessionId));
      if (time === undefined) throw new Failure("not-found", "there is no restore of files to undo");
      return { command, facts: [["undoes", `the restore of files of ${new Date(time).toISOString()}`]] };
    }
    case "fork":
      return {
        command,
        facts: [
          ["starts", "a Claude in the background, with a copy of this conversation as its beginning"],
          ["in", directoryOf(environment, sessionId)],
          ["leaves", "this conversation as it is"],
        ],
      };
  }
}

async function perform(environment: Environment, request: ActionRequest): Promise<ActionDone> {
  const { sessionId, action, to } = request;
  const done = (message: string, next: string | null, hostId: string | null = null): ActionDone => ({
    message,
    next,
    hostId,
  });
  switch (action) {
    case "restore": {
      const choice = restoreChoice(to, environment.now());
      const { plan: performed } = await restoreSession(environment, { sessionId, choice, force: false });
      const { mark, point } = performed;
      return done(
        `Restored to ${mark ? `mark ${mark.n}` : `turn ${point.turn}`} (${point.size} bytes, verified).`,
        `session-snapshot undo ${sessionId}`,
      );
    }
    case "restore-files": {
      const result = await restoreFiles(environment, fileRequest(environment, request, false));
      return done(`Restored ${result.changes.length} files to f${result.to.n}, verified.`, undoFilesCommand(result));
    }
    case "undo": {
      const { undone, wayBack } = await undoRestore(environment, sessionId, false);
      const next = wayBack === null ? null : `session-snapshot restore ${sessionId} --to ${wayBack}`;
      return done(`Undone: ${undone.target} is as before the ${undone.kind}.`, next);
    }
    case "undo-files": {
      const { changes, to: mark } = await undoFiles(environment, directoryOf(environment, sessionId), false);
      return done(`Undone: ${changes.length} files are as at f${mark.n} again.`, null);
    }
    case "fork": {
      const there = { ...environment, cwd: directoryOf(environment, sessionId) };
      const hosting = hostingOfClaude(there, ["--resume", sessionId, "--fork-session"]);
      await startHost(there, { ...hosting, background: true });
      return done("The fork runs in the background.", `ai-runtime attach ${hosting.id}`, hosting.id);
    }
  }
}

const fileRequest = (environment: Environment, { sessionId, to }: ActionRequest, dryRun: boolean) => ({
  directory: directoryOf(environment, sessionId),
  point: to === undefined ? undefined : filePoint(to, environment.now()),
  sessionId,
  paths: [],
  force: false,
  dryRun,
});

const changesOf = (changes: FileRestoreResult["changes"]): ActionPlan["changes"] =>
  changes.map(({ path, kind }) => ({ path, change: kind }));

const undoFilesCommand = ({ workspace }: FileRestoreResult): string =>
  `cd ${quotePosixWords([workspace])} && session-snapshot undo --files`;

function directoryOf(environment: Environment, sessionId: string): string {
  const directory = viewSession(environment.paths, sessionId)?.cwd;
  if (directory !== undefined) return directory;
  throw new Failure("not-found", `the directory of session ${sessionId} is not known`);
}

/** The same from a shell. */
function commandOf(environment: Environment, { sessionId, action, to }: ActionRequest): string {
  const at = to === undefined ? [] : ["--to", to];
  const inDirectory = (words: string[]): string =>
    `cd ${quotePosixWords([directoryOf(environment, sessionId)])} && ${quotePosixWords(words)}`;
  switch (action) {
    case "restore":
      return quotePosixWords(["session-snapshot", "restore", sessionId, ...at]);
    case "restore-files":
      return inDirectory(["session-snapshot", "restore", "--files", ...at]);
    case "undo":
      return quotePosixWords(["session-snapshot", "undo", sessionId]);
    case "undo-files":
      return inDirectory(["session-snapshot", "undo", "--files"]);
    case "fork":
      return inDirectory(["cclaude", "--resume", sessionId, "--fork-session"]);
  }
}

/** The full id of a session with a snapshot. */
export const sessionOf = (environment: Environment, given: string): string =>
  chooseSession(environment, given, environment.cwd);

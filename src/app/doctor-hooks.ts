import { shellCommand } from "../claude/hook-command.ts";
import { enablesOwnPlugin, type InstalledHook, installedHook, listHookEvents } from "../claude/installed-hooks.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
import { runToEnd } from "../io/run-to-end.ts";
import { withScratchDirectory } from "../io/scratch-directory.ts";
import { type Environment, runVariable } from "./environment.ts";
import { broken, doubtful, type Finding, good } from "./finding.ts";
import { installSnapshotHooks } from "./install.ts";
import { installEverything } from "./install-everything.ts";
import type { Status } from "./status.ts";

const name = "hooks";
const patience = 20_000;

export async function examineHooks(
  environment: Environment,
  { hooks, hookProblems, claude }: Status,
): Promise<Finding[]> {
  if (hooks.mode === "none" && hookProblems.length === 0) {
    if (enablesOwnPlugin(readText(hooks.path)))
      return [good(name, "Claude Code's plugin ai-runtime brings them along")];
    return [broken(name, `none in ${hooks.path}: no snapshots are taken`, "ai-runtime install")];
  }
  const obstacles = hookProblems.map((problem) => broken(name, problem, shellCommand("vi", [hooks.path])));
  if (hooks.mode === "none") return [...obstacles, broken(name, "none are installed", "ai-runtime install")];
  const text = hooks.mode === "settings" ? readText(hooks.path) : undefined;
  // All events have the same command: where that of the turn's end was taken out by hand, another one is called.
  const hook = installedHook(text, "Stop") ?? installedHook(text);
  // Which events an install would choose follows from claude's version: without one it would advise those of the oldest.
  const isComparable = obstacles.length === 0 && claude.installed?.version !== undefined;
  return [
    ...obstacles,
    ...(hook ? [await fire(environment, hook)] : []),
    ...(isComparable ? await compare(environment, listHookEvents(text, "ai-runtime").length > 0) : []),
  ];
}

/** What an install would change now: after an update of Claude, a move of ours, a hook taken out by hand. */
async function compare(environment: Environment, everything: boolean): Promise<Finding[]> {
  const install = everything ? installEverything : installSnapshotHooks;
  const { changes } = await install(environment, { dryRun: true });
  if (changes.length === 0) return [];
  const message = `an install now would change: ${changes.join(", ")}`;
  return [doubtful(name, message, everything ? "ai-runtime install" : "session-snapshot install")];
}

/** Calls the very command that Claude would call, with a made-up session in a scratch home. */
function fire({ variables }: Environment, { command, args }: InstalledHook): Promise<Finding> {
  return withScratchDirectory(async (scratch) => {
    const transcript = `${scratch}/.claude/projects/-doctor/doctor.jsonl`;
    const text = '{"type":"user","uuid":"1","message":{"content":"hello"}}\n'.repeat(10);
    makeDirectory(`${scratch}/.claude/projects/-doctor`);
    replaceFile(transcript, text);
    const own = { HOME: scratch, XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined, CLAUDE_CONFIG_DIR: undefined };
    const payload = { session_id: "doctor", transcript_path: transcript, hook_event_name: "Stop", cwd: scratch };
    const ended = await runToEnd(args ? [command, ...args] : ["sh", "-c", command], {
      variables: { ...variables, ...own, [runVariable]: undefined },
      milliseconds: patience,
      stdin: JSON.stringify(payload),
    });
    const copied = fileSize(`${scratch}/.config/session-snapshot/snapshots/doctor.jsonl`);
    const shown = [command, ...(args ?? [])].join(" ");
    if (copied === text.length) return good(name, `${shown} was called and took a snapshot`);
    const why = ended ? `exit code ${ended.exitCode} ${ended.stderr.trim()}`.trim() : "it did not end in time";
    return broken(name, `${shown} was called and took no snapshot: ${why}`, "ai-runtime install");
  });
}

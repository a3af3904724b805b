import { sampleRecord } from "../../claude/demo-records.ts";
import { shellCommand } from "../../claude/hooks/hook-command.ts";
import { probeEvent } from "../../claude/hooks/hook-event.ts";
import { formatHookPayload } from "../../claude/hooks/hook-payload.ts";
import { type InstalledHook, installedHook, listHookEvents } from "../../claude/hooks/installed-hooks.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { fileSize, readText } from "../../io/files/read-file.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import { withScratchDirectory } from "../../io/durable/scratch-directory.ts";
import { type Environment, runVariable } from "../environment.ts";
import { failed, warning, type CheckResult, ok } from "./check-result.ts";
import { installSnapshotHooks } from "../install/install.ts";
import { installEverything } from "../install/install-everything.ts";
import type { Status } from "./status.ts";

const name = "hooks";
const hookTimeoutMs = 20_000;

export async function checkHooks(
  environment: Environment,
  { hooks, hookProblems, hookDenial, claude }: Status,
): Promise<CheckResult[]> {
  if (hookDenial) return [failed(name, hookDenial.message, hookDenial.fix)];
  if (hooks.mode === "none" && hookProblems.length === 0) {
    if (hooks.claudePlugin) return [ok(name, "provided by the Claude Code plugin ai-runtime")];
    return [failed(name, `${hooks.path} has no ai-runtime hooks: no snapshots are taken`, "ai-runtime install")];
  }
  const obstacles = hookProblems.map((problem) => failed(name, problem, shellCommand("vi", [hooks.path])));
  if (hooks.mode === "none") return [...obstacles, failed(name, "no hooks are installed", "ai-runtime install")];
  const text = hooks.mode === "settings" ? readText(hooks.path) : undefined;
  // All events use the same command, so any of them can replace a missing one.
  const hook = installedHook(text, probeEvent) ?? installedHook(text);
  // Claude's version decides which events an install chooses, so without a version there is nothing to compare.
  const isComparable = obstacles.length === 0 && claude.installed?.version !== undefined;
  return [
    ...obstacles,
    ...(hook ? [await callHook(environment, hook)] : []),
    ...(isComparable ? await compareWithInstall(environment, listHookEvents(text, "ai-runtime").length > 0) : []),
  ];
}

/** Reports what an install would change now, for example after an update of Claude or after the executable moved. */
async function compareWithInstall(environment: Environment, everything: boolean): Promise<CheckResult[]> {
  const install = everything ? installEverything : installSnapshotHooks;
  const { changes } = await install(environment, { dryRun: true });
  if (changes.length === 0) return [];
  const message = `the hooks are out of date; an install would: ${changes.join(", ")}`;
  return [warning(name, message, everything ? "ai-runtime install" : "session-snapshot install")];
}

/** Runs the installed hook command as Claude would, with a test session in a scratch home directory. */
function callHook({ variables }: Environment, { command, args }: InstalledHook): Promise<CheckResult> {
  return withScratchDirectory(async (scratch) => {
    const transcript = `${scratch}/.claude/projects/-doctor/doctor.jsonl`;
    const text = `${sampleRecord}\n`.repeat(10);
    makeDirectory(`${scratch}/.claude/projects/-doctor`);
    replaceFile(transcript, text);
    const own = { HOME: scratch, XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined, CLAUDE_CONFIG_DIR: undefined };
    const call = { event: probeEvent, sessionId: "doctor", transcriptPath: transcript, cwd: scratch };
    const ended = await runToEnd(args ? [command, ...args] : ["sh", "-c", command], {
      variables: { ...variables, ...own, [runVariable]: undefined },
      milliseconds: hookTimeoutMs,
      stdin: formatHookPayload(call),
    });
    const copied = fileSize(`${scratch}/.config/session-snapshot/snapshots/doctor.jsonl`);
    const shown = [command, ...(args ?? [])].join(" ");
    if (copied === text.length) return ok(name, `${shown} was called and took a snapshot`);
    const why = ended ? `exit code ${ended.exitCode} ${ended.stderr.trim()}`.trim() : "it did not end in time";
    return failed(name, `${shown} was called and took no snapshot: ${why}`, "ai-runtime install");
  });
}

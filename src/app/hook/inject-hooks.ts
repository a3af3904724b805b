import { hasFlag, type Segment } from "../../claude/argv/flags.ts";
import { snapshotHookEntries } from "../../claude/hooks/hook-entries.ts";
import { type JsonObject, parseObject } from "../../claude/json-object.ts";
import { settingsPath } from "../../claude/paths.ts";
import { settingsArguments, replaceSettings } from "../../claude/argv/replace-settings.ts";
import {
  addRunHooks,
  callsOurHooks,
  dependsOnPlace,
  switchesHooksOff,
} from "../../claude/settings/one-run-settings.ts";
import { joinArguments } from "../../claude/argv/flags.ts";
import { parseClaudeVersion } from "../../claude/versions.ts";
import { isExecutableFile } from "../../io/files/find-executable.ts";
import { parentOf, readText } from "../../io/files/read-file.ts";
import { programName } from "../../claude/hooks/hook-command.ts";
import { type ClaudeFile, knownVersion } from "../../store/cclaude/claude-versions.ts";
import { removeRunSettings, sweepRunSettings, writeRunSettings } from "../../store/cclaude/run-settings.ts";
import type { Environment } from "../environment.ts";
import { bestEffort } from "../best-effort.ts";

/** Claude's arguments. Dispose them when claude has ended. */
export interface HookedArguments extends Disposable {
  readonly words: readonly string[];
}

/**
 * Returns claude's arguments: unchanged when our hooks are installed, otherwise with `--settings` that add them for this start
 * only. If the hooks cannot be added, the arguments stay unchanged, because claude also works without them. Settings of the user go
 * through a private file, because every user of the machine can read a command line, and old clients copy it to a readable file.
 */
function injectHooks(
  environment: Environment,
  segments: readonly Segment[],
  version: string | undefined,
): HookedArguments {
  const argv = withoutFile(joinArguments(segments));
  if (hasFlag(segments, "bare") || hasFlag(segments, "safe-mode")) return argv;
  const installed = parseSettings(readText(settingsPath(environment.claudeConfig)) ?? "{}");
  if (installed && (callsOurHooks(installed) || switchesHooksOff(installed))) return argv;
  const given = settingsArguments(segments);
  if (given.length > 1) return argv;
  const own = given[0] === undefined ? {} : readGiven(given[0]);
  const executable = hookExecutable();
  if (!own || !executable || switchesHooksOff(own) || callsOurHooks(own) || dependsOnPlace(own)) return argv;
  const entries = snapshotHookEntries({ executable, version: parseClaudeVersion(version ?? "") });
  const settings = JSON.stringify(addRunHooks(own, entries));
  if (given.length === 0) return withoutFile(replaceSettings(segments, settings));
  const path = writeRunSettings(environment.paths, settings);
  return {
    words: replaceSettings(segments, path),
    // The next start sweeps what could not be removed.
    [Symbol.dispose]: () => void bestEffort(environment, () => removeRunSettings(path), false),
  };
}

const withoutFile = (words: readonly string[]): HookedArguments => ({ words, [Symbol.dispose]: () => {} });

/** Uses the version recorded at an earlier start. Best effort: a failure of ours does not prevent claude from starting. */
export function argumentsWithHooks(
  environment: Environment,
  file: ClaudeFile | undefined,
  segments: readonly Segment[],
): HookedArguments {
  bestEffort(environment, () => sweepRunSettings(environment.paths, environment.now()), undefined);
  const inject = (): HookedArguments =>
    injectHooks(environment, segments, file && knownVersion(environment.paths, file));
  return bestEffort(environment, inject, withoutFile(joinArguments(segments)));
}

/** Like claude, accepts inline JSON or a file path. */
function readGiven(value: string): JsonObject | undefined {
  if (value.trimStart().startsWith("{")) return parseSettings(value);
  try {
    return parseSettings(readText(value) ?? "");
  } catch {
    return undefined;
  }
}

const parseSettings = (text: string): JsonObject | undefined => parseObject(text.replace(/^\uFEFF/, ""));

/** The name `cclaude` does not run hooks, so this looks for a sibling name of the executable that does. */
function hookExecutable(): string | undefined {
  const own = process.execPath;
  const extension = /\.exe$/i.test(own) ? ".exe" : "";
  const beside = ["session-snapshot", "ai-runtime"].map((name) => `${parentOf(own)}/${name}${extension}`);
  const isHook = ["session-snapshot", "ai-runtime"].includes(programName(own));
  return isHook ? own : beside.find(isExecutableFile);
}

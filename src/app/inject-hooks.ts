import { hasFlag, type Segment } from "../claude/flags.ts";
import { snapshotHookEntries } from "../claude/hook-entries.ts";
import { asObject, type JsonObject } from "../claude/json-object.ts";
import { settingsPath } from "../claude/paths.ts";
import { settingsArguments, withSettings } from "../claude/replace-settings.ts";
import { addRunHooks, callsOurHooks, switchesHooksOff } from "../claude/run-settings.ts";
import { joinArguments } from "../claude/flags.ts";
import { parseClaudeVersion } from "../claude/versions.ts";
import { isExecutableFile } from "../io/find-executable.ts";
import { parentOf, readText } from "../io/read-file.ts";
import { programName } from "../claude/hook-command.ts";
import { type ClaudeFile, knownVersion } from "../store/claude-versions.ts";
import type { Environment } from "./environment.ts";
import { orElse } from "./or-else.ts";

/**
 * The command line for one run: the user's own, word for word, when our hooks are installed; otherwise with `--settings` that
 * bring them along for this run only. Whatever stands against that leaves the words alone: a run without hooks is a run.
 */
function injectHooks(environment: Environment, segments: readonly Segment[], version: string | undefined): string[] {
  const argv = joinArguments(segments);
  if (hasFlag(segments, "bare") || hasFlag(segments, "safe-mode")) return argv;
  const installed = parseSettings(readText(settingsPath(environment.claudeConfig)) ?? "{}");
  if (installed && (callsOurHooks(installed) || switchesHooksOff(installed))) return argv;
  const given = settingsArguments(segments);
  if (given.length > 1) return argv;
  const own = given[0] === undefined ? {} : readGiven(given[0]);
  const executable = hookExecutable();
  if (!own || !executable || switchesHooksOff(own) || callsOurHooks(own)) return argv;
  const entries = snapshotHookEntries({ executable, version: parseClaudeVersion(version ?? "") });
  return withSettings(segments, JSON.stringify(addRunHooks(own, entries)));
}

/** The same for a claude whose version is known from an earlier start; no trouble of ours keeps it from starting. */
export function argumentsWithHooks(
  environment: Environment,
  file: ClaudeFile | undefined,
  segments: readonly Segment[],
): string[] {
  const inject = (): string[] => injectHooks(environment, segments, file && knownVersion(environment.paths, file));
  return orElse(environment, inject, joinArguments(segments));
}

/** Inline JSON or the path of a file, as claude itself takes it. */
function readGiven(value: string): JsonObject | undefined {
  if (value.trimStart().startsWith("{")) return parseSettings(value);
  try {
    return parseSettings(readText(value) ?? "");
  } catch {
    return undefined;
  }
}

function parseSettings(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return undefined;
  }
}

/** Started as `cclaude`, a link to the one executable, we need a name beside it under which it is a hook. */
function hookExecutable(): string | undefined {
  const own = process.execPath;
  const extension = /\.exe$/i.test(own) ? ".exe" : "";
  const beside = ["session-snapshot", "ai-runtime"].map((name) => `${parentOf(own)}/${name}${extension}`);
  const isHook = ["session-snapshot", "ai-runtime"].includes(programName(own));
  return isHook ? own : beside.find(isExecutableFile);
}

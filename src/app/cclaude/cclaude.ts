import { claudeEnvironment } from "../../claude/environment.ts";
import { isSupervisable, type Segment, splitArguments } from "../../claude/argv/flags.ts";
import { isNewConversation } from "../../claude/argv/new-conversation.ts";
import { canClaude, parseClaudeVersion } from "../../claude/versions.ts";
import { Failure } from "../../core/failure.ts";
import { isDirectory } from "../../io/files/read-file.ts";
import { type ChildEnd, runInPlace } from "../../io/process/run-child.ts";
import { withOptionalScratchDirectory } from "../../io/durable/scratch-directory.ts";
import { passStartGate } from "../../io/process/start-gate.ts";
import { stopAsAGroup } from "../../io/process/stop-group.ts";
import { OwnTerminal } from "../../io/terminal/own-terminal.ts";
import { claudeFile, knownVersion } from "../../store/cclaude/claude-versions.ts";
import { bestEffort } from "../best-effort.ts";
import {
  currentEnvironment,
  type Environment,
  hostEventsVariable,
  hostGateVariable,
  hostTerminalVariable,
  hostVariable,
  runVariable,
} from "../environment.ts";
import { findClaude } from "../find-claude.ts";
import { needsRecord, RegisteredSession } from "./registered-session.ts";
import { superviseClaude } from "./session-supervisor.ts";
import type { Announcer } from "./announcer.ts";
import type { Variables } from "../../core/variables.ts";

/** Counts nested cclaudes. A claude may call cclaude once or twice; more means that CCLAUDE_CLAUDE_BIN leads back to us. */
const levelVariable = "CCLAUDE_LEVEL";
const maxLevel = 5;

/** How cclaude itself ends: as claude did, or for a reason of its own. */
export type CclaudeEnd = Pick<ChildEnd, "exitCode" | "signal"> | { readonly own: "waiting" | "stopped" };

export async function runClaude(
  argv: readonly string[],
  variables: Variables,
  announcer: Announcer,
): Promise<CclaudeEnd> {
  const claude = findClaude(variables, process.execPath);
  const level = Number(variables[levelVariable] ?? 0) + 1;
  if (level > maxLevel) {
    throw new Failure("no-claude", `${claude} starts cclaude again instead of Claude Code`, {
      hint: "Set CCLAUDE_CLAUDE_BIN to the real claude.",
    });
  }
  const {
    [runVariable]: _,
    [hostVariable]: host,
    [hostEventsVariable]: shared,
    [hostTerminalVariable]: terminal,
    [hostGateVariable]: gate,
    ...rest
  } = claudeEnvironment(variables);
  const child = { ...rest, [levelVariable]: String(level) };
  // Before claude starts, so that it finds the settings of the user's terminal.
  if (terminal !== undefined) OwnTerminal.applySettings(terminal);
  if (host !== undefined) stopAsAGroup();
  if (gate !== undefined) await passStartGate(gate);
  const given = splitArguments(argv);
  if (!isSupervisable(given)) return runInPlace({ command: [claude, ...argv], variables: child });
  const environment = currentEnvironment(variables);
  const hasRecord = level === 1 && needsRecord(environment);
  const segments = hasRecord ? withKnownSession(environment, claude, given) : given;
  const registered = hasRecord ? RegisteredSession.register(environment, claude, segments) : undefined;
  const supervise = (eventsDirectory: string | undefined): Promise<CclaudeEnd> =>
    superviseClaude({
      claude,
      segments,
      registered,
      variables: eventsDirectory === undefined ? child : { ...child, [runVariable]: eventsDirectory },
      eventsDirectory,
      settingsFrom: variables,
      announcer,
    });
  if (registered) return supervise(registered.events);
  // A host that runs us reads the same events.
  return shared !== undefined && isDirectory(shared) ? supervise(shared) : withOptionalScratchDirectory(supervise);
}

/** Gives a new conversation an id chosen here, so that it is known even when everything dies before the first hook. */
function withKnownSession(environment: Environment, claude: string, segments: readonly Segment[]): readonly Segment[] {
  if (!isNewConversation(segments)) return segments;
  const version = bestEffort(
    environment,
    () => {
      const file = claudeFile(claude);
      return file && knownVersion(environment.paths, file);
    },
    undefined,
  );
  if (!canClaude(parseClaudeVersion(version ?? ""), "sessionIdFlag")) return segments;
  return [...splitArguments(["--session-id", crypto.randomUUID()]), ...segments];
}

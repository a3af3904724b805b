import { lastSpoken } from "../claude/last-spoken.ts";
import { projectDirectoryName, projectsDirectory } from "../claude/paths.ts";
import { readEnding } from "../claude/transcript-ending.ts";
import { Failure } from "../core/failure.ts";
import { parseResetTime } from "../core/reset-time.ts";
import type { PriorConversation } from "../core/service-start.ts";
import { fileFacts, listDirectory, resolveLinks, withFile } from "../io/read-file.ts";
import { linesBackwards } from "../io/read-lines-backwards.ts";
import type { Environment } from "./environment.ts";
import { findLiveClaude } from "./live-session.ts";
import { repairTranscript } from "./repair.ts";
import { verifyTranscript } from "./verify.ts";

interface Candidate {
  readonly sessionId: string;
  readonly path: string;
  readonly modified: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conversations that Claude keeps of a workspace, the newest first. */
export function listConversations({ claudeConfig }: Environment, workspace: string): Candidate[] {
  const directory = `${projectsDirectory(claudeConfig)}/${projectDirectoryName(resolveLinks(workspace))}`;
  return listDirectory(directory)
    .filter((name) => name.endsWith(".jsonl") && uuid.test(name.slice(0, -".jsonl".length)))
    .flatMap((name): Candidate[] => {
      const path = `${directory}/${name}`;
      const facts = fileFacts(path);
      return facts ? [{ sessionId: name.slice(0, -".jsonl".length), path, modified: facts.modified }] : [];
    })
    .sort((one, other) => other.modified - one.modified);
}

/** The conversation that a service could go on with, in order as far as that can be had. */
export async function priorConversation(environment: Environment, workspace: string): Promise<PriorConversation> {
  const all = listConversations(environment, workspace);
  let otherwise: PriorConversation = { kind: "none" };
  for (const candidate of all) {
    const { sessionId, path } = candidate;
    if (findLiveClaude(environment, sessionId, path) !== undefined) {
      if (otherwise.kind === "none") otherwise = { kind: "held", sessionId };
      continue;
    }
    // Asked first: a repair makes the file new.
    const age = environment.now() - lastChange(candidate);
    const state = await bringInOrder(environment, candidate);
    const ending = readEnd(environment, path);
    const found = { kind: "found", sessionId, age, isNewest: candidate === all[0] } as const;
    if (state !== "empty" && (state === "damaged" || ending?.spoken)) {
      return { ...found, state, interrupted: ending?.interrupted ?? false };
    }
    if (otherwise.kind === "none") otherwise = { ...found, state: "empty", interrupted: false };
  }
  return otherwise;
}

/** The file's time may be newer than what is in it, after a copy or a repair; the older of the two is the truth. */
function lastChange({ path, modified }: Candidate): number {
  const spoken = withFile(path, ({ fd, size }) => lastSpoken(linesBackwards(fd, size)));
  return Math.min(modified, spoken ?? modified);
}

/** Mends what can be mended. What may have been taken out on purpose is left out, and is no damage. */
async function bringInOrder(
  environment: Environment,
  { sessionId, path }: Candidate,
): Promise<"empty" | "damaged" | "whole" | "repaired"> {
  const target = { path: resolveLinks(path), sessionId, isOwn: true };
  const { damaged, repairable, defects } = verifyTranscript(environment, target);
  if (!damaged) return "whole";
  const damage = defects.filter(({ severity }) => severity === "damage");
  const isEmpty = damage.some(({ kind }) => kind === "empty-file" || kind === "stub-file");
  if (!repairable) return isEmpty ? "empty" : "damaged";
  if (damage.some(({ kind }) => kind === "lost-records") && !isEmpty) return "whole";
  try {
    await repairTranscript(environment, { target, force: false, dryRun: false });
    return "repaired";
  } catch (error) {
    if (error instanceof Failure && error.kind === "corrupt") return "damaged";
    throw error;
  }
}

/** Claude was at work, or was stopped by what passes by itself. */
function readEnd({ now }: Environment, path: string): { spoken: boolean; interrupted: boolean } | undefined {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clock = { now: now(), zone, parseReset: parseResetTime };
  return withFile(path, ({ fd, size }) => {
    const { spoken, midTurn, finalError } = readEnding(linesBackwards(fd, size), 0, clock);
    return { spoken, interrupted: midTurn || finalError?.kind === "limit" || finalError?.kind === "server" };
  });
}

import { nothingLost } from "../../core/restart/lost-work.ts";
import type { DetachKey } from "../../core/host/detach-key.ts";
import { Failure } from "../../core/failure.ts";
import { signalProcess } from "../../io/process/end-process.ts";
import { isListening } from "../../io/socket/socket.ts";
import { isFinal, type RunRecord } from "../../core/run/run-record.ts";
import {
  heldSession,
  type HostedStatus,
  type HostRecord,
  isHosted,
  protocolOf,
} from "../../store/hosts/host-records.ts";
import { type Attached, attachTo } from "./attach.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { endLeftChild } from "../run-records/hold-run.ts";
import { findHolder } from "../session/find-holder.ts";
import { hostingAgain } from "./hosting-again.ts";
import { requireTerminal } from "./run-in-host.ts";
import { hostLeftSession, isAtPrompt } from "./host-left.ts";
import { hostRecords, startHost } from "./registry.ts";
import { bringBack } from "../resume/bring-back.ts";
import { lostWork } from "../resume/lost-work.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { environmentOfRun } from "../run-records/register-run.ts";

/** A host recreates its socket within this time. */
const reopenTimeoutMs = 5_000;
const pollIntervalMs = 20;

/** The text that tells the user how to detach when a client attaches. */
export type NoticeText = (id: string, key: DetachKey, status: HostedStatus | undefined) => string;

/** Attaches to a hosted program; if it has ended, returns how it ended. */
export async function attachHosted(environment: Environment, id: string, noticeText: NoticeText): Promise<Attached> {
  const record = hostRecords(environment).read(id);
  if (!record) throw new Failure("not-found", `no hosted program "${id}"`);
  if (record.end) return { kind: "over", end: record.end, time: record.end.time };
  if (!isHosted(record)) return { kind: "lost" };
  requireTerminal();
  const key = loadSettings(environment).settings.detachKey;
  const options = {
    key,
    notice: noticeText(id, key, record.status),
    protocol: protocolOf(record),
    passesSignals: false,
  };
  const attached = await attachTo(socketOf(record, id), options).catch(async (error: unknown) => {
    if (!(error instanceof Error && "code" in error)) throw error;
    return attachTo(await reopenSocket(environment, record, error), options);
  });
  // The program may have ended while this client was connecting.
  const end = attached.kind === "lost" ? hostRecords(environment).read(id)?.end : undefined;
  return end ? { kind: "over", end, time: end.time } : attached;
}

/** A logout can remove the socket's directory, so the host creates a new socket on SIGUSR1. */
export async function reopenSocket(
  environment: Environment,
  { plan, running }: HostRecord,
  error: Error,
): Promise<string> {
  if (running) signalProcess(running.host, "SIGUSR1");
  const deadline = performance.now() + reopenTimeoutMs;
  while (performance.now() < deadline) {
    await Bun.sleep(pollIntervalMs);
    const socket = hostRecords(environment).read(plan.id)?.running?.socket;
    if (socket !== undefined && (await isListening(socket))) return socket;
  }
  throw new Failure("failed", `${plan.id} is running, but its host cannot be reached: ${error.message}`, {
    cause: error,
  });
}

/**
 * Restarts a program whose host died, with the same arguments and in the same conversation. `automatic`: the user did not ask for
 * it, so a Claude that waited at its prompt waits there again and costs nothing.
 */
export async function restartHosted(
  environment: Environment,
  run: RunRecord,
  { automatic = false }: { readonly automatic?: boolean } = {},
): Promise<void> {
  const record = hostRecords(environment).read(run.plan.id);
  if (!record) return hostLeftSession(environment, run);
  if (isHosted(record)) {
    throw new Failure("locked", `${run.plan.id} is running`, {
      hint: `Show it with: ai-runtime attach ${run.plan.id}`,
    });
  }
  if (isFinal(run.status.phase)) {
    throw new Failure("not-found", `${run.plan.id} has ended (${run.status.phase}); there is nothing to resume`, {
      hint: `Continue its conversation with: cclaude --resume ${record.session?.id ?? record.plan.sessionId ?? ""}`,
    });
  }
  // Two claudes in one conversation would split it into branches.
  await endLeftChild(run);
  const runEnvironment = environmentOfRun(environment, run);
  const sessionId = heldSession(record);
  refuseOpenElsewhere(runEnvironment, sessionId);
  const isPresent = await hasConversation(runEnvironment, sessionId);
  const transcriptPath = sessionId === null ? undefined : findTranscript(runEnvironment, sessionId);
  const conversation = {
    hasConversation: isPresent,
    transcriptPath,
    isIdle: automatic && isAtPrompt(runEnvironment, transcriptPath),
    lost: sessionId === null ? nothingLost : lostWork(runEnvironment, sessionId),
  };
  await startHost(runEnvironment, {
    ...hostingAgain(record, conversation),
    size: record.plan.size,
  });
}

function refuseOpenElsewhere(environment: Environment, sessionId: string | null): void {
  const holder = sessionId === null ? undefined : findHolder(environment, sessionId, undefined);
  if (!holder) return;
  const where = "id" in holder ? `${holder.kind} ${holder.id}` : `process ${holder.pid}`;
  throw new Failure("locked", `its conversation ${sessionId} is open elsewhere (${where})`, {
    hint: "Close it there first: two claudes would write two branches, and the next resume sees only one.",
  });
}

/** Restores or repairs a damaged conversation. True when that cannot be determined: claude then reports the problem. */
const hasConversation = async (environment: Environment, sessionId: string | null): Promise<boolean> =>
  sessionId === null || (await bringBack(environment, sessionId)) !== "absent";

function socketOf(record: HostRecord | undefined, id: string): string {
  if (!record?.running) throw new Failure("failed", `the host of ${id} ended before it was ready`);
  return record.running.socket;
}

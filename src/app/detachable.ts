import type { DetachKey } from "../core/detach-key.ts";
import { Failure } from "../core/failure.ts";
import { readHostSettings } from "../core/host-settings.ts";
import { OwnTerminal } from "../io/own-terminal.ts";
import { readText } from "../io/read-file.ts";
import { signalProcess } from "../io/end-process.ts";
import { isListening } from "../io/socket.ts";
import { isTerminal } from "../io/terminal-modes.ts";
import type { RunRecord } from "../core/run-record.ts";
import type { HostRecord } from "../store/host-records.ts";
import { type Attached, attachTo } from "./attach.ts";
import type { Environment } from "./environment.ts";
import { endLeftChild } from "./hold-run.ts";
import { heldSession, type Hosting, hostingAgain } from "./host-claude.ts";
import { hostRecords, isHosted, startHost } from "./hosts.ts";
import { regainConversation } from "./regain-conversation.ts";
import { environmentOfRun } from "./start-run.ts";

/** For a host to make its socket anew, and between two looks. */
const patience = 5_000;
const look = 20;

/** Words for the two moments in which a person has to know how to leave. */
export interface HostWords {
  greeting(id: string, key: DetachKey): string;
  notice(id: string, key: DetachKey): string;
}

/** Starts a program in a host and shows it here. */
export async function runDetachable(environment: Environment, hosting: Hosting, words: HostWords): Promise<Attached> {
  requireTerminal();
  const key = detachKey(environment);
  const { id } = hosting;
  await startHost(environment, { ...hosting, size: OwnTerminal.size, greeting: words.greeting(id, key) });
  return attachTo(socketOf(hostRecords(environment).read(id), id), key, null);
}

/** Shows a hosted program here; one that has ended by now only tells how. */
export async function attachHosted(environment: Environment, id: string, words: HostWords): Promise<Attached> {
  const record = hostRecords(environment).read(id);
  if (!record) throw new Failure("not-found", `there is no program "${id}" to attach`);
  if (record.end) return { kind: "over", end: record.end, time: record.end.time };
  if (!isHosted(record)) return { kind: "lost" };
  requireTerminal();
  const key = detachKey(environment);
  const notice = words.notice(id, key);
  const attached = await attachTo(socketOf(record, id), key, notice).catch(async (error: unknown) => {
    if (!(error instanceof Error && "code" in error)) throw error;
    return attachTo(await reopened(environment, record, error), key, notice);
  });
  // It may have ended just when we came.
  const end = attached.kind === "lost" ? hostRecords(environment).read(id)?.end : undefined;
  return end ? { kind: "over", end, time: end.time } : attached;
}

/** A socket may be gone with the directory it was in, as after a logout; its host makes another when asked. */
async function reopened(environment: Environment, { plan, running }: HostRecord, error: Error): Promise<string> {
  if (running) signalProcess(running.host, "SIGUSR1");
  const deadline = performance.now() + patience;
  while (performance.now() < deadline) {
    await Bun.sleep(look);
    const socket = hostRecords(environment).read(plan.id)?.running?.socket;
    if (socket !== undefined && (await isListening(socket))) return socket;
  }
  throw new Failure("failed", `${plan.id} runs, but cannot be reached: ${error.message}`, { cause: error });
}

/** Starts one whose host has died again, with its own arguments, in its own conversation. */
export async function restartHosted(environment: Environment, run: RunRecord): Promise<void> {
  const record = hostRecords(environment).read(run.plan.id);
  if (!record) throw new Failure("not-found", `nothing is known of how ${run.plan.id} was started`);
  if (isHosted(record)) {
    throw new Failure("locked", `${run.plan.id} is running`, {
      hint: `Show it with: ai-runtime attach ${run.plan.id}`,
    });
  }
  if (run.status.phase === "stopped" || run.status.phase === "done") {
    throw new Failure("not-found", `${run.plan.id} is over (${run.status.phase}); there is nothing to resume`, {
      hint: `Its conversation goes on with: cclaude --resume ${record.session?.id ?? record.plan.sessionId ?? ""}`,
    });
  }
  // Two on one conversation would part it into branches.
  await endLeftChild(run);
  const world = environmentOfRun(environment, run);
  await startHost(world, {
    ...hostingAgain(record, { hasConversation: await hasConversation(world, heldSession(record)) }),
    greeting: null,
    size: record.plan.size,
  });
}

/** Brought back from its snapshot where it was lost. What cannot be found out is left to claude. */
async function hasConversation(environment: Environment, sessionId: string | null): Promise<boolean> {
  if (sessionId === null) return true;
  try {
    const { kind } = await regainConversation(environment, sessionId);
    return kind === "there" || kind === "restored";
  } catch {
    return true;
  }
}

function socketOf(record: HostRecord | undefined, id: string): string {
  if (!record?.running) throw new Failure("failed", `the host of ${id} ended before it was ready`);
  return record.running.socket;
}

function requireTerminal(): void {
  if (isTerminal(0) && isTerminal(1)) return;
  throw new Failure("usage", "a program can only be attached to a terminal, and this is none", {
    hint: "For a task without a terminal there is: ai-runtime run --detach",
  });
}

const detachKey = ({ paths, variables }: Environment): DetachKey =>
  readHostSettings(readText(paths.config), variables).settings.detachKey;

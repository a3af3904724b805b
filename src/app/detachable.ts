import type { DetachKey } from "../core/detach-key.ts";
import { Failure } from "../core/failure.ts";
import { readHostSettings } from "../core/host-settings.ts";
import { OwnTerminal } from "../io/own-terminal.ts";
import { readText } from "../io/read-file.ts";
import { isTerminal } from "../io/terminal-modes.ts";
import type { HostRecord } from "../store/host-records.ts";
import { type Attached, attachTo } from "./attach.ts";
import type { Environment } from "./environment.ts";
import { hostRecords, type HostStart, isHosted, startHost } from "./hosts.ts";

export type HostedProgram = Omit<HostStart, "size" | "greeting">;

/** Words for the two moments in which a person has to know how to leave. */
export interface HostWords {
  greeting(id: string, key: DetachKey): string;
  notice(id: string, key: DetachKey): string;
}

/** Starts a program in a host and shows it here. */
export async function runDetachable(
  environment: Environment,
  program: HostedProgram,
  words: HostWords,
): Promise<Attached> {
  requireTerminal();
  const key = detachKey(environment);
  await startHost(environment, { ...program, size: OwnTerminal.size, greeting: words.greeting(program.id, key) });
  return attachTo(socketOf(hostRecords(environment).read(program.id), program.id), key, null);
}

/** Shows a hosted program here; one that has ended by now only tells how. */
export async function attachHosted(environment: Environment, record: HostRecord, words: HostWords): Promise<Attached> {
  if (record.end) return { kind: "ended", end: record.end };
  requireTerminal();
  const { id } = record.plan;
  if (!isHosted(record)) return { kind: "lost" };
  const key = detachKey(environment);
  return attachTo(socketOf(record, id), key, words.notice(id, key));
}

function socketOf(record: HostRecord | undefined, id: string): string {
  if (!record?.running) throw new Failure("failed", `the host of ${id} ended before it was ready`);
  return record.running.socket;
}

function requireTerminal(): void {
  if (isTerminal(0) && isTerminal(1)) return;
  throw new Failure("usage", "a program can only be attached to a terminal, and this is none");
}

const detachKey = ({ paths, variables }: Environment): DetachKey =>
  readHostSettings(readText(paths.config), variables).settings.detachKey;

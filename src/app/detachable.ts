import type { DetachKey } from "../core/detach-key.ts";
import { Failure } from "../core/failure.ts";
import { readHostSettings } from "../core/host-settings.ts";
import { OwnTerminal } from "../io/own-terminal.ts";
import { readText } from "../io/read-file.ts";
import { isTerminal } from "../io/terminal-modes.ts";
import type { HostRecord } from "../store/host-records.ts";
import { type Attached, attachTo } from "./attach.ts";
import type { Environment } from "./environment.ts";
import type { Hosting } from "./host-claude.ts";
import { hostRecords, isHosted, startHost } from "./hosts.ts";

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
export async function attachHosted(environment: Environment, record: HostRecord, words: HostWords): Promise<Attached> {
  if (record.end) return { kind: "ended", end: record.end };
  if (!isHosted(record)) return { kind: "lost" };
  requireTerminal();
  const { id } = record.plan;
  const key = detachKey(environment);
  return attachTo(socketOf(record, id), key, words.notice(id, key));
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

import { type Check, has, isFlag, isProcessMark, isText, orNull } from "../../core/check-record.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readOwnText } from "../../io/files/read-own-file.ts";
import type { ProcessIdentity } from "../../io/process/process.ts";

/** `dashboard.json`. The server writes it when it starts and when it ends; the command line reads it. */
export interface DashboardRecord {
  readonly version: 1;
  /** Signs the cookies, so that an open page stays valid when the server restarts; lets our own command ask for a link. */
  readonly key: string;
  readonly running: RunningDashboard | null;
}

export interface RunningDashboard {
  readonly server: ProcessIdentity;
  /** Without a token. */
  readonly address: string;
  readonly isReadOnly: boolean;
}

const isKey: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

const isRecord = has({
  version: (value) => value === 1,
  key: isKey,
  running: orNull(has({ server: isProcessMark, address: isText, isReadOnly: isFlag })),
});

const pathIn = (stateRoot: string): string => `${stateRoot}/dashboard.json`;

/** Undefined when there is none. An unreadable one counts as none: pages that are open then need a new link. */
export function readDashboard(stateRoot: string): DashboardRecord | undefined {
  try {
    const value: unknown = JSON.parse(readOwnText(pathIn(stateRoot)) ?? "null");
    return isRecord(value) ? (value as DashboardRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function writeDashboard(stateRoot: string, record: DashboardRecord): void {
  makeDirectory(stateRoot);
  replaceFile(pathIn(stateRoot), `${JSON.stringify(record)}\n`);
}

/** Held while a server starts and runs, so that there is one at a time. */
export const dashboardLock = (stateRoot: string): string => `${stateRoot}/locks/dashboard.lock`;

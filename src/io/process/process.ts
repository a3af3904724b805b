import { platform } from "../../platform/current.ts";
import type { ProcessIdentity } from "../../platform/platform.ts";

export type { ProcessIdentity };

/** Undefined when no such process is running. Throws when that cannot be known: unknown does not mean dead. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  return Number.isSafeInteger(pid) && pid > 0 ? platform.identifyProcess(pid) : undefined;
}

/** Whether the identified process still runs under its pid. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  const current = identifyProcess(identity.pid);
  return current?.startTime === identity.startTime && current.bootId === identity.bootId;
}

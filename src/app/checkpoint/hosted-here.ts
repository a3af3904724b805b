import { prefixOf } from "../../core/host/host-line.ts";
import { heldSession, HostRecords, isHosted } from "../../store/hosts/host-records.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";

/** The key before `r` that restores this conversation; undefined when it is in no host of ours, or no key is a prefix. */
export function restorePrefixOf(environment: Environment, sessionId: string): string | undefined {
  const records = new HostRecords(runRoot(environment.variables, environment.home)).all();
  const isHere = records.some(
    (record) => record.plan.name === "cclaude" && heldSession(record) === sessionId && isHosted(record),
  );
  return isHere ? (prefixOf(loadSettings(environment).settings.detachKey.name) ?? undefined) : undefined;
}

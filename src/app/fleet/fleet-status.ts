import { workerLostSeconds } from "../../core/fleet/fleet-lease.ts";
import type { Usage } from "../../core/checkpoint/usage.ts";
import type { FleetState } from "../../core/fleet/fleet-run.ts";
import { countFleetRuns, listAccounts, listWorkers } from "../../hub/fleet-workers.ts";
import type { Environment } from "../environment.ts";
import { type Lag, readLag } from "../hub/hub-status.ts";
import { openLabel } from "../hub/labels.ts";
import { withHub } from "../hub/open-hub.ts";

export interface FleetWorkerView {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly labels: readonly string[];
  readonly slots: number;
  readonly busy: number;
  readonly state: "working" | "idle" | "lost";
  /** Milliseconds since it was seen. */
  readonly silentMs: number;
}

export interface FleetAccountView {
  readonly name: string;
  /** When its limit resets, in milliseconds since 1970; null when it has quota. */
  readonly limitedUntil: number | null;
  readonly usage: Usage;
}

export interface FleetReport {
  readonly workers: readonly FleetWorkerView[];
  readonly accounts: readonly FleetAccountView[];
  readonly runs: Partial<Record<FleetState, number>>;
  /** Of this machine: what of it is not in the hub yet. */
  readonly lag: Lag;
}

export const readFleetStatus = (environment: Environment): Promise<FleetReport> =>
  withHub(environment, async ({ connection, sealer }) => {
    const now = environment.now();
    const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
    const workers = (await listWorkers(connection)).map((row): FleetWorkerView => {
      const label = openLabel(sealer, row.id, row.label) ?? {};
      const isLost = row.silentMs > workerLostSeconds * 1_000;
      const labels = Array.isArray(label["labels"]) ? label["labels"].filter((each) => typeof each === "string") : [];
      return {
        id: row.id,
        name: text(label["name"], row.id.slice(0, 8)),
        account: text(label["account"], "?"),
        labels,
        slots: row.slots,
        busy: row.runs,
        state: isLost ? "lost" : row.runs > 0 ? "working" : "idle",
        silentMs: Math.round(row.silentMs),
      };
    });
    const accounts = (await listAccounts(connection)).map(({ account, label, limitedMs }): FleetAccountView => {
      const opened = openLabel(sealer, Buffer.from(account).toString("hex"), label) ?? {};
      const limitedUntil = limitedMs !== null && limitedMs > 0 ? Math.round(now + limitedMs) : null;
      return { name: text(opened["name"], "?"), limitedUntil, usage: (opened["usage"] ?? {}) as Usage };
    });
    return { workers, accounts, runs: await countFleetRuns(connection), lag: readLag(environment) };
  });

import { isQuiet, quietUntil } from "../../core/host/quiet-hours.ts";
import { type BootRecord, chooseAfterBoot, isTask, type LoginPolicy } from "../../core/run/boot-recovery.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import { loginSlug } from "../../core/service/login-plan.ts";
import { makeDirectory, sweepTemporaries } from "../../io/durable/durable.ts";
import { bootId, systemName } from "../../io/system.ts";
import { waitUntil } from "../../io/wait-until.ts";
import { lockWithin } from "../../store/lock.ts";
import { readBoot, writeBoot } from "../../store/runs/boot-record.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { ServiceLog } from "../../store/services/service-log.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { notify } from "../notify/notify.ts";
import { findRecoverable, type Recoverable } from "../run-records/recover.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { servicePlaces } from "../service/service-request.ts";
import { loadSettings } from "../settings.ts";
import { continueAll } from "./continue-all.ts";
import { coldTokensOf } from "./estimate-run.ts";

/** Younger temporary files may belong to a process that lives. */
const dayMs = 86_400_000;

/** `doctor` and `uninstall` hold the lock for a moment, to see whether a recovery lives. */
const probeTimeMs = 1_000;

/** What the recovery after a boot does, for the log and the user. `tokens`: what it sends again; null when not known. */
export type BootEvent =
  | { readonly kind: "already"; readonly time: number }
  | { readonly kind: "busy" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "quiet"; readonly until: number }
  | { readonly kind: "found"; readonly count: number; readonly tokens: number; readonly policy: LoginPolicy }
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly id: string }
  | { readonly kind: "left"; readonly record: RunRecord; readonly policy: LoginPolicy }
  | { readonly kind: "continued"; readonly record: RunRecord; readonly tokens: number | null }
  | { readonly kind: "failed"; readonly record: RunRecord; readonly message: string };

export interface BootRecovery extends Pick<Recoverable, "unreadable"> {
  readonly policy: LoginPolicy;
  readonly continued: readonly RunRecord[];
  /** Interrupted, and left to the user. */
  readonly left: readonly RunRecord[];
  readonly failed: readonly RunRecord[];
  /** Null when this boot had been recovered before, or another process recovers it now. */
  readonly end: "done" | "interrupted" | null;
}

/** What the recovery of this boot would do now. Continues nothing. */
export function planAfterBoot(environment: Environment): BootRecovery {
  const paths = runPathsOf(environment);
  const boot = readBoot(paths);
  const policy = loadSettings(environment).settings.recoverAtLogin;
  const nothing = { policy, continued: [], left: [], failed: [], unreadable: [] };
  if (isDone(boot)) return { ...nothing, end: null };
  const { resumed, left, unreadable } = choose(environment, paths, boot, policy);
  return { ...nothing, continued: resumed, left, unreadable, end: "done" };
}

/**
 * Continues what the end of the last boot interrupted, as the setting `recoverAtLogin` says, once per boot. A killed recovery
 * continues where it was: each start is recorded before it happens.
 */
export async function recoverAfterBoot(
  environment: Environment,
  tell: (event: BootEvent) => void,
): Promise<BootRecovery> {
  const paths = runPathsOf(environment);
  makeDirectory(paths.locks);
  const lock = await lockWithin(paths.lock("boot"), probeTimeMs);
  if (!lock) {
    tell({ kind: "busy" });
    return noRecovery(environment, null);
  }
  try {
    const boot = readBoot(paths);
    if (boot && isDone(boot)) {
      tell({ kind: "already", time: boot.time });
      return noRecovery(environment, null);
    }
    if ((await waitForQuietHours(environment, tell)) === "interrupted") {
      tell({ kind: "interrupted" });
      return noRecovery(environment, "interrupted");
    }
    return await recover(environment, paths, boot, tell);
  } finally {
    lock.discard();
  }
}

const isDone = (boot: BootRecord | undefined): boolean => boot?.bootId === bootId() && boot.state === "done";

const noRecovery = (environment: Environment, end: BootRecovery["end"]): BootRecovery => ({
  policy: loadSettings(environment).settings.recoverAtLogin,
  continued: [],
  left: [],
  failed: [],
  unreadable: [],
  end,
});

function choose(environment: Environment, paths: RunPaths, boot: BootRecord | undefined, policy: LoginPolicy) {
  const { runs, unreadable } = findRecoverable(environment, paths);
  const taken = boot?.bootId === bootId() ? boot.taken : [];
  const chosen = chooseAfterBoot(runs, { policy, bootId: bootId(), taken, now: environment.now() });
  return { ...chosen, unreadable, taken };
}

async function recover(
  environment: Environment,
  paths: RunPaths,
  boot: BootRecord | undefined,
  tell: (event: BootEvent) => void,
): Promise<BootRecovery> {
  const policy = loadSettings(environment).settings.recoverAtLogin;
  const { resumed, left, unreadable, taken: before } = choose(environment, paths, boot, policy);
  let taken = before;
  const write = (state: BootRecord["state"], end: Pick<BootRecord, "failed" | "left"> = {}): void =>
    writeBoot(paths, { version: 1, bootId: bootId(), state, time: environment.now(), taken, ...end });
  write("begun");
  bestEffort(environment, () => sweepTemporaries(paths.root, dayMs, environment.now()), undefined);
  const sizes = new Map(resumed.map((record) => [record, coldTokensOf(environment, paths, record)]));
  const tokens = [...sizes.values()].reduce<number>((sum, size) => sum + (size ?? 0), 0);
  if (resumed.length > 0) tell({ kind: "found", count: resumed.length, tokens, policy });
  else if (left.length === 0) tell({ kind: "nothing" });
  for (const id of unreadable) tell({ kind: "unreadable", id });
  for (const record of left) {
    tell({ kind: "left", record, policy });
    if (policy === "ask") ask(environment, record);
  }
  const continued: RunRecord[] = [];
  const failed: RunRecord[] = [];
  await continueAll(environment, paths, resumed, {
    automatic: true,
    onStart(record) {
      const { plan, status } = record;
      taken = [...taken.filter(({ id }) => id !== plan.id), { id: plan.id, supervisor: status.supervisor }];
      write("begun");
    },
    onContinued(record) {
      continued.push(record);
      tell({ kind: "continued", record, tokens: sizes.get(record) ?? null });
    },
    onFailed(record, error) {
      failed.push(record);
      tell({ kind: "failed", record, message: error.message });
    },
  });
  const idsOf = (runs: readonly RunRecord[]): string[] => runs.map(({ plan }) => plan.id);
  write("done", { failed: idsOf(failed), left: idsOf(left) });
  return { policy, continued, left, failed, unreadable, end: "done" };
}

/** With a killed recovery in between, the same question may be sent twice. */
function ask(environment: Environment, { plan }: RunRecord): void {
  const source = isTask(plan) ? "run" : "session";
  const title = isTask(plan) ? plan.task : null;
  const facts = { source, id: plan.id, title, directory: plan.cwd, until: null, cause: null } as const;
  notify(environment, { ...facts, event: "needs-you", need: "interrupted" });
}

/** Quiet hours hold for everything automatic. A recovery that only tells the user is not kept waiting. */
async function waitForQuietHours(
  environment: Environment,
  tell: (event: BootEvent) => void,
): Promise<"reached" | "interrupted"> {
  for (;;) {
    const { quietHours, recoverAtLogin } = loadSettings(environment).settings;
    const at = new Date(environment.now());
    const minute = at.getHours() * 60 + at.getMinutes();
    if (recoverAtLogin === "ask" || !quietHours || !isQuiet(quietHours, minute)) return "reached";
    const until = at.setSeconds(0, 0) + quietUntil(quietHours, minute);
    tell({ kind: "quiet", until });
    if ((await waitUntil(until)) === "interrupted") return "interrupted";
  }
}

/** Counts the present boot as recovered: the user is here. Returns whether it did not count before. */
export function skipThisBoot(environment: Environment): boolean {
  const paths = runPathsOf(environment);
  if (readBoot(paths)?.bootId === bootId()) return false;
  writeBoot(paths, { version: 1, bootId: bootId(), state: "done", time: environment.now(), taken: [] });
  return true;
}

/** What the recovery did, with the time; `ai-runtime install --at-login` names the file. */
export function bootLog(environment: Environment): (line: string) => void {
  const { log } = servicePaths(systemName, loginSlug, servicePlaces(environment));
  const file = new ServiceLog(log, environment.now);
  return (line) => file.write(line);
}

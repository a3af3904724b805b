import type { ServiceSystem } from "./service-options.ts";

/** A service's state, as the system reports it. `missing`: the system does not know the service. */
export interface ServiceState {
  readonly state: "running" | "starting" | "restarting" | "stopping" | "stopped" | "failed" | "missing" | "unknown";
  readonly pid: number | null;
  readonly restarts: number | null;
  readonly lastExitCode: number | null;
  /** The status text that the service sent, or the system's reason for a failure. */
  readonly detail: string | null;
}

const nothing = { pid: null, restarts: null, lastExitCode: null, detail: null };

/** Reads the answer to `statusCommand`; `answer` is undefined when the command could not run. */
export function parseServiceState(
  system: ServiceSystem,
  answer: { readonly exitCode: number; readonly stdout: string } | undefined,
): ServiceState {
  if (answer === undefined) return { state: "unknown", ...nothing };
  switch (system) {
    case "linux":
      return answer.exitCode === 0 ? parseSystemd(answer.stdout) : { state: "unknown", ...nothing };
    case "darwin":
      return answer.exitCode === 0 ? parseLaunchd(answer.stdout) : { state: "missing", ...nothing };
    case "windows":
      return answer.exitCode === 0 ? parseTask(answer.stdout) : { state: "missing", ...nothing };
  }
}

function parseSystemd(text: string): ServiceState {
  const fields = new Map(text.split("\n").map((line): [string, string] => splitOnce(line, "=")));
  const of = (name: string): string => fields.get(name) ?? "";
  const detail = of("Result") === "success" || of("Result") === "" ? of("StatusText") : of("Result");
  const isThere = of("LoadState") !== "not-found" || of("ActiveState") !== "inactive";
  return {
    state: isThere ? systemdState(of("ActiveState"), of("SubState")) : "missing",
    pid: positive(of("MainPID")),
    restarts: whole(of("NRestarts")),
    lastExitCode: of("MainPID") === "0" ? whole(of("ExecMainStatus")) : null,
    detail: detail || null,
  };
}

function systemdState(active: string, sub: string): ServiceState["state"] {
  if (active === "activating") return sub === "auto-restart" ? "restarting" : "starting";
  const states: Record<string, ServiceState["state"]> = {
    active: "running",
    reloading: "running",
    deactivating: "stopping",
    inactive: "stopped",
    failed: "failed",
  };
  return states[active] ?? "unknown";
}

/** `launchctl print` writes one `name = value` per line; only fields indented by one tab belong to the service itself. */
function parseLaunchd(text: string): ServiceState {
  const of = (name: string): string => new RegExp(`^\\t${name} = (.*)$`, "m").exec(text)?.[1] ?? "";
  const runs = whole(of("runs"));
  const lastExitCode = whole(of("last exit code").split(":")[0] ?? "");
  const failed = lastExitCode !== null && lastExitCode !== 0;
  const waiting = of("state").includes("scheduled") ? "restarting" : failed ? "failed" : "stopped";
  return {
    state: of("state") === "running" ? "running" : waiting,
    pid: positive(of("pid")),
    restarts: runs === null ? null : Math.max(0, runs - 1),
    lastExitCode,
    detail: null,
  };
}

/** `schtasks /Query /FO LIST /V` answers in the system's language; only English is understood here. */
function parseTask(text: string): ServiceState {
  const of = (name: string): string => new RegExp(`^${name}:\\s*(.*?)\\s*$`, "m").exec(text)?.[1] ?? "";
  const states: Record<string, ServiceState["state"]> = {
    Running: "running",
    Queued: "starting",
    Ready: "stopped",
    Disabled: "stopped",
  };
  return { ...nothing, state: states[of("Status")] ?? "unknown", lastExitCode: whole(of("Last Result")) };
}

const whole = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);
const positive = (text: string): number | null => whole(text) || null;

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

import type { HostPlan, HostRecords } from "../../store/hosts/host-records.ts";
import type { HostRun } from "../hosted-claude/host-run.ts";
import type { Environment } from "../environment.ts";
import type { Settings } from "../../core/settings.ts";
import type { HostedProgram } from "./hosted-program.ts";
import type { Pty } from "../../io/terminal/pty.ts";

export interface HostOptions {
  readonly plan: HostPlan;
  readonly records: HostRecords;
  readonly run: HostRun;
  readonly environment: Environment;
  readonly settings: Settings;
  /** The directory where the program's hooks write events. */
  readonly events: string | undefined;
  /** The program, when it was started before the host was loaded. */
  readonly program?: HostedProgram;
  /** Set when a service runs it: its watchdog receives the program's output. */
  readonly service?: { onOutput(bytes: Uint8Array): void };
}

/** What the starter of a host is told while it starts. */
export interface HostProgress {
  readonly onListening?: (socket: string) => void;
  /** Lets the program work, when the plan says that it starts with the first client. */
  readonly onFirstClient?: () => void;
  readonly onReady?: (program: Pty) => void;
}

import type { FittingPoint } from "../../core/host/host-line.ts";
import type { NoAnswer, RecoveryEvent, RecoveryStop } from "../resume/recovery-events.ts";

/** The session that an event is about. */
export interface AnnouncedSession {
  /** Undefined where no session was found. */
  readonly id: string | undefined;
  /** The arguments with which cclaude resumes it. */
  readonly resume: readonly string[];
}

/** How cclaude speaks to its user: one line for each event. */
export interface Announcer {
  announce(event: RecoveryEvent | RecoveryStop | NoAnswer, session: AnnouncedSession): void;
  /** Shows the time that is left until `until`; undefined without a terminal. */
  countdown(until: number): Countdown | undefined;
  /** Asks a user at the terminal whether to go back to this point and resume. No answer in time is a no. */
  offerRestore(point: FittingPoint): Promise<boolean>;
}

export interface Countdown {
  tick(left: number): void;
  /** Clears the line. `reached`: the wait is over. */
  end(reached: boolean): void;
}

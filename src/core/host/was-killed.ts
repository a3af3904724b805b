import { type HostedEnd, passedSignals } from "./frames.ts";

/** The program was killed or has crashed: no user and no closed terminal ends a program by such a signal. */
export const wasKilled = ({ signal }: HostedEnd): boolean =>
  signal !== null && ![...passedSignals, "SIGHUP", "SIGPIPE"].includes(signal);

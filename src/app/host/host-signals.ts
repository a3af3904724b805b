import type { Pty } from "../../io/terminal/pty.ts";

/** SIGINT comes from a user, SIGTERM from the system. */
export type StopCause = "interrupted" | "shutdown";

/** The host kills a program that has not ended this long after SIGTERM. */
const endTimeoutMs = 10_000;

interface HostSignals {
  onStop(cause: StopCause): void;
  /** As in tmux: a logout may have removed the socket's directory. */
  onReopen(): void;
}

/** Handles the signals that control the host, until the returned function is called. */
export function listenToSignals(pty: Pty, { onStop, onReopen }: HostSignals): () => void {
  let killTimer: Timer | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    onStop(signal === "SIGINT" ? "interrupted" : "shutdown");
    pty.signal("SIGTERM");
    killTimer ??= setTimeout(() => pty.killAll(), endTimeoutMs);
  };
  const listeners = { SIGTERM: stop, SIGINT: stop, SIGHUP: () => {}, SIGUSR1: () => onReopen() };
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
  return () => {
    clearTimeout(killTimer);
    for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
  };
}

/** An error in the host must not end the program. Returns how to stop. */
export function catchErrors(onError: (error: unknown) => void): () => void {
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  return () => {
    process.off("uncaughtException", onError);
    process.off("unhandledRejection", onError);
  };
}

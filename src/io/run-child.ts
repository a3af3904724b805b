import { closeSync, openSync } from "node:fs";
import { platform } from "../platform/current.ts";
import type { InputFeed } from "./feed-input.ts";

export interface ChildEnd {
  exitCode: number;
  signal: NodeJS.Signals | undefined;
  /** We were told to end while it ran. */
  stopAsked: boolean;
}

export interface InPlace {
  readonly command: string[];
  readonly variables: Record<string, string | undefined>;
  readonly directory?: string | undefined;
  /** Ours, unless: nothing, for a program whose input an earlier one has used up; or ours with something before it. */
  readonly input?: "empty" | { readonly first: string; readonly feed: InputFeed } | undefined;
  /** Called as soon as it runs: for work that nobody should wait for. */
  readonly onStart?: (pid: number) => void;
}

/** Runs a program in our place: same terminal, same streams, same job. Signals sent to us alone are handed on to it. */
export async function runInPlace(run: InPlace): Promise<ChildEnd> {
  let child: Bun.Subprocess | undefined;
  let stopAsked = false;
  const handOn = (signal: NodeJS.Signals): void => child?.kill(signal);
  const stop = (signal: NodeJS.Signals): void => {
    stopAsked = true;
    handOn(signal);
  };
  // The terminal sends Ctrl-C to the child as well; without one, whoever sent it means the child and has only our pid.
  const interrupt = (signal: NodeJS.Signals): void => {
    stopAsked = true;
    if (!hasTerminal()) handOn(signal);
  };
  // At Ctrl-Z recent clients stop their whole job, older ones (2.1.36) themselves alone. The shell waits for us: it must see us
  // stop in either case, and `fg` wakes both.
  const follow = (): void => {
    if (child && platform.isStopped(child.pid)) process.kill(process.pid, "SIGSTOP");
  };
  const listeners: [NodeJS.Signals, (signal: NodeJS.Signals) => void][] = [
    ["SIGINT", interrupt],
    ["SIGQUIT", interrupt],
    ["SIGTERM", stop],
    ["SIGHUP", stop],
    ["SIGUSR1", handOn],
    ["SIGUSR2", handOn],
    ["SIGCONT", handOn],
    ["SIGCHLD", follow],
  ];
  const handled = listeners.filter(([signal]) => platform.signals.includes(signal));
  // Before it is started: a signal that comes at once must find us listening.
  for (const [signal, listener] of handled) process.on(signal, listener);
  try {
    child = Bun.spawn(run.command, {
      env: run.variables,
      ...(run.directory === undefined ? {} : { cwd: run.directory }),
      stdio: [inputOf(run), "inherit", "inherit"],
    });
    if (typeof run.input === "object" && typeof child.stdin === "object") {
      void run.input.feed.feed(child.stdin, run.input.first, child.exited);
    }
    run.onStart?.(child.pid);
    await child.exited;
    const signal = (child.signalCode as NodeJS.Signals | null) ?? undefined;
    return { exitCode: child.exitCode ?? 1, signal, stopAsked };
  } finally {
    for (const [signal, listener] of handled) process.off(signal, listener);
  }
}

function inputOf({ input }: InPlace): "inherit" | "ignore" | "pipe" {
  if (input === undefined) return "inherit";
  return input === "empty" ? "ignore" : "pipe";
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

import { closeSync, openSync } from "node:fs";
import { platform } from "../../platform/current.ts";
import type { InputFeed } from "./feed-input.ts";
import type { Variables } from "../../core/variables.ts";

export interface ChildEnd {
  exitCode: number;
  signal: NodeJS.Signals | undefined;
  /** We received a request to end while it ran. */
  stopAsked: boolean;
  /** One of those requests was that our terminal is gone. */
  hungUp: boolean;
}

export interface InPlace {
  readonly command: string[];
  readonly variables: Variables;
  readonly directory?: string | undefined;
  /** Default: our stdin. Alternatives: nothing, when an earlier program has consumed the input; a text; or our stdin after a prefix. */
  readonly input?:
    "empty" | { readonly text: string } | { readonly first: string; readonly feed: InputFeed } | undefined;
  /** Receives its stdout, which is otherwise ours. Returns false to close it. */
  readonly onOutput?: ((bytes: Uint8Array) => Promise<boolean>) | undefined;
  /** Called as soon as it runs, for work that should not delay the start. */
  readonly onStart?: (pid: number) => void;
}

/** Runs a program in our place: same terminal, same streams, same job. Passes on signals that were sent only to us. */
export async function runInPlace(run: InPlace): Promise<ChildEnd> {
  let child: Bun.Subprocess | undefined;
  let stopAsked = false;
  let hungUp = false;
  const handOn = (signal: NodeJS.Signals): void => child?.kill(signal);
  const stop = (signal: NodeJS.Signals): void => {
    stopAsked = true;
    hungUp ||= signal === "SIGHUP";
    handOn(signal);
  };
  // On a terminal, the child also receives Ctrl-C. Without one, the sender means the child but knows only our pid.
  const interrupt = (signal: NodeJS.Signals): void => {
    stopAsked = true;
    if (!hasTerminal()) handOn(signal);
  };
  // At Ctrl-Z recent clients stop their whole job; older ones (2.1.36) stop only themselves. The shell waits for us, so we must
  // stop in both cases; `fg` continues both.
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
  // Before the start, so that an early signal is not lost.
  for (const [signal, listener] of handled) process.on(signal, listener);
  try {
    child = Bun.spawn(run.command, {
      env: run.variables,
      ...(run.directory === undefined ? {} : { cwd: run.directory }),
      stdio: [inputOf(run), run.onOutput ? "pipe" : "inherit", "inherit"],
    });
    const { input } = run;
    if (typeof input === "object" && "feed" in input && typeof child.stdin === "object") {
      void input.feed.feed(child.stdin, input.first, child.exited);
    }
    const output =
      run.onOutput && typeof child.stdout === "object" ? readOutput(child, child.stdout, run.onOutput) : undefined;
    run.onStart?.(child.pid);
    await child.exited;
    await output;
    const signal = (child.signalCode as NodeJS.Signals | null) ?? undefined;
    return { exitCode: child.exitCode ?? 1, signal, stopAsked, hungUp };
  } finally {
    for (const [signal, listener] of handled) process.off(signal, listener);
  }
}

/** A process that a tool left behind may keep the output open: after the program has ended, silence of this length ends it. */
const drainTimeoutMs = 2_000;
const drainCheckMs = 500;

async function readOutput(
  child: Bun.Subprocess,
  stream: ReadableStream<Uint8Array>,
  onOutput: (bytes: Uint8Array) => Promise<boolean>,
): Promise<void> {
  const reader = stream.getReader();
  // Undefined while our own reader is slow: then there may be more.
  let silentSince: number | undefined;
  let exited: number | undefined;
  void child.exited.then(() => (exited = performance.now()));
  const watch = setInterval(() => {
    if (silentSince === undefined || exited === undefined) return;
    if (performance.now() - Math.max(silentSince, exited) > drainTimeoutMs) void reader.cancel();
  }, drainCheckMs);
  try {
    for (;;) {
      silentSince = performance.now();
      const { value } = await reader.read();
      silentSince = undefined;
      if (value === undefined) return;
      if (!(await onOutput(value))) return void (await reader.cancel());
    }
  } finally {
    clearInterval(watch);
  }
}

function inputOf({ input }: InPlace): "inherit" | "ignore" | "pipe" | Uint8Array {
  if (input === undefined) return "inherit";
  if (input === "empty") return "ignore";
  return "text" in input ? new TextEncoder().encode(input.text) : "pipe";
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

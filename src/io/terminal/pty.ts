import { constants } from "node:os";
import { platform } from "../../platform/current.ts";
import { TerminalWriter } from "./terminal-writer.ts";
import type { Variables } from "../../core/variables.ts";

interface PtySize {
  readonly columns: number;
  readonly rows: number;
}

export interface PtyStart {
  readonly command: readonly string[];
  /** The program's own name (argv[0]). */
  readonly name: string;
  readonly variables: Variables;
  readonly directory: string;
  readonly size: PtySize;
  readonly onOutput: (bytes: Uint8Array) => void;
  /** The program has stopped itself, as at Ctrl-Z. It stays stopped until `continue`. */
  readonly onStopped: () => void;
}

export interface PtyEnd {
  readonly exitCode: number;
  readonly signal: string | null;
}

export interface Pty {
  /** The program, which leads its own session and process group. */
  readonly pid: number;
  write(bytes: Uint8Array | string): void;
  resize(size: PtySize): void;
  signal(signal: NodeJS.Signals): void;
  /** Continues the program and its process group after a stop. */
  continue(): void;
  /** Tells the program and its process group that the terminal may have changed, although its size is the same. */
  signalResize(): void;
  /** Call it at Ctrl-Z for a program that does not report its stop: no shell is there to continue it. */
  wake(): void;
  /** Kills the program and its process group at once. */
  killAll(): void;
  /** Settles when the program has ended and all its output was delivered. */
  readonly ended: Promise<PtyEnd>;
}

/** How long to read remaining output after the end, even when a child process keeps the terminal open. */
const lastOutputTimeoutMs = 2_000;

/** Delays after a Ctrl-Z. */
const wakeDelaysMs = [200, 1_000, 3_000];

/** Starts a program in its own terminal. */
export function startInPty({ command, name, variables, directory, size, onOutput, onStopped }: PtyStart): Pty {
  const drained = Promise.withResolvers<void>();
  const writer = new TerminalWriter();
  // The options are inline: a terminal created beforehand would not become the controlling terminal of the program.
  const child = Bun.spawn([...command], {
    argv0: name,
    cwd: directory,
    env: variables,
    terminal: {
      cols: size.columns,
      rows: size.rows,
      name: "xterm-256color",
      data: (_, bytes) => onOutput(bytes),
      drain: () => writer.onDrain(),
      // The end of the output, not of the program.
      exit: () => drained.resolve(),
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("the system did not provide a terminal");
  writer.open(terminal);
  const signalAll = (signal: NodeJS.Signals): void => {
    // After the program has ended, its pid may belong to another process.
    if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, signal);
  };
  // Some programs really stop, which is visible. Others ask the system to stop them, which it refuses without a shell that could
  // continue them, and then wait for SIGCONT. Nothing shows when they are ready for it, so it is sent a few times.
  const wake = (): void => {
    for (const delay of wakeDelaysMs) setTimeout(() => signalAll("SIGCONT"), delay).unref();
  };
  const follow = (): void => {
    if (platform.isStopped(child.pid)) onStopped();
  };
  if (platform.signals.includes("SIGCHLD")) process.on("SIGCHLD", follow);
  const end = async (): Promise<PtyEnd> => {
    await child.exited;
    process.off("SIGCHLD", follow);
    const timer = setTimeout(drained.resolve, lastOutputTimeoutMs);
    await drained.promise;
    clearTimeout(timer);
    terminal.close();
    const signal = child.signalCode as NodeJS.Signals | null;
    // As a shell counts signals.
    const exitCode = child.exitCode ?? (signal === null ? 1 : 128 + constants.signals[signal]);
    return { exitCode, signal };
  };
  return {
    pid: child.pid,
    write: (bytes) => writer.write(bytes),
    resize: ({ columns, rows }) => void (terminal.closed || terminal.resize(columns, rows)),
    signal: (signal) => child.kill(signal),
    continue: () => signalAll("SIGCONT"),
    signalResize: () => signalAll("SIGWINCH"),
    wake: () => void (terminal.closed || wake()),
    killAll: () => {
      if (child.exitCode === null && child.signalCode === null) platform.killGroup(child.pid);
    },
    ended: end(),
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // It has already ended.
  }
}

import { constants } from "node:os";
import { platform } from "../platform/current.ts";

interface PtySize {
  readonly columns: number;
  readonly rows: number;
}

export interface PtyStart {
  readonly command: readonly string[];
  /** What the program takes for its own name. */
  readonly name: string;
  readonly variables: Record<string, string | undefined>;
  readonly directory: string;
  readonly size: PtySize;
  readonly onOutput: (bytes: Uint8Array) => void;
}

export interface PtyEnd {
  readonly exitCode: number;
  readonly signal: string | null;
}

export interface Pty {
  /** Of the program, which leads a session and a process group of its own. */
  readonly pid: number;
  write(bytes: Uint8Array | string): void;
  resize(size: PtySize): void;
  signal(signal: NodeJS.Signals): void;
  /** To be called at a Ctrl-Z: no shell is there to bring back what has suspended itself. */
  wake(): void;
  /** The program and what it started in its group, at once. */
  killAll(): void;
  /** Settles when the program has ended and all that it wrote was delivered. */
  readonly ended: Promise<PtyEnd>;
}

/** What a program leaves in the terminal is read within this time, even when something that it started holds it open. */
const lastOutput = 2_000;

/** Milliseconds after a Ctrl-Z. */
const wakings = [200, 1_000, 3_000];

/** Starts a program in a terminal of its own. */
export function startInPty({ command, name, variables, directory, size, onOutput }: PtyStart): Pty {
  const drained = Promise.withResolvers<void>();
  // Options inline: a terminal made beforehand would not become the program's controlling one.
  const child = Bun.spawn([...command], {
    argv0: name,
    cwd: directory,
    env: variables,
    terminal: {
      cols: size.columns,
      rows: size.rows,
      name: "xterm-256color",
      data: (_, bytes) => onOutput(bytes),
      // The end of the output, not of the program.
      exit: () => drained.resolve(),
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("the system gave no terminal");
  // Some stop for real, which is seen. Others ask the system to stop them, which it does not do where no shell could continue
  // them, and wait to be continued: they are, a few times, since when they are ready for it is not seen.
  const continueAll = (): void => {
    // Its number may be another's once it has ended.
    if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, "SIGCONT");
  };
  const wake = (): void => {
    for (const delay of wakings) setTimeout(() => continueAll(), delay).unref();
  };
  const follow = (): void => {
    if (platform.isStopped(child.pid)) continueAll();
  };
  if (platform.signals.includes("SIGCHLD")) process.on("SIGCHLD", follow);
  const end = async (): Promise<PtyEnd> => {
    await child.exited;
    process.off("SIGCHLD", follow);
    await Promise.race([drained.promise, Bun.sleep(lastOutput)]);
    terminal.close();
    const signal = child.signalCode as NodeJS.Signals | null;
    // As a shell counts them.
    const exitCode = child.exitCode ?? (signal === null ? 1 : 128 + constants.signals[signal]);
    return { exitCode, signal };
  };
  return {
    pid: child.pid,
    write: (bytes) => void (terminal.closed || terminal.write(bytes)),
    resize: ({ columns, rows }) => void (terminal.closed || terminal.resize(columns, rows)),
    signal: (signal) => child.kill(signal),
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
    // It ended in the meantime.
  }
}

import { platform } from "../platform/current.ts";

export interface TerminalChild {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  killAll(): void;
  readonly ended: Promise<{ exitCode: number; signal: string | null }>;
}

/** Starts a program in a terminal of its own. */
export function startInTerminal(start: {
  readonly command: readonly string[];
  readonly variables: Record<string, string | undefined>;
  readonly directory: string;
  readonly onOutput: (bytes: Uint8Array) => void;
}): TerminalChild {
  const child = Bun.spawn([...start.command], {
    cwd: start.directory,
    env: start.variables,
    terminal: { cols: 120, rows: 40, data: (_, bytes) => start.onOutput(bytes) },
  });
  return {
    pid: child.pid,
    signal: (signal) => child.kill(signal),
    killAll: () => platform.killGroup(child.pid),
    ended: child.exited.then(() => ({ exitCode: child.exitCode ?? 1, signal: child.signalCode as string | null })),
  };
}

import type { Variables } from "../../core/variables.ts";

/** These variables would turn our executable into plain bun, or make it run foreign code first. */
const dangerous = new Set(["BUN_OPTIONS", "BUN_BE_BUN"]);

/**
 * Starts a program that outlives us, in its own session, without terminal and streams, and under another name if one is given. The
 * promise ends with it.
 */
export function startDetached(
  command: string[],
  variables: Variables,
  directory: string,
  name?: string,
): Promise<unknown> {
  const child = Bun.spawn(command, {
    ...(name === undefined ? {} : { argv0: name }),
    env: safeVariables(variables),
    cwd: directory,
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
  });
  child.unref();
  return child.exited;
}

/** A program whose input has ended ends within this time. */
const endTimeoutMs = 2_000;

export interface Announced {
  /** The first line that the program prints, or "" if it ends without one. Later output is discarded. */
  readonly line: string;
  /** Ends the input, so that the program ends and cleans up, and kills it when it does not. Settles when it is gone. */
  end(): Promise<void>;
}

/**
 * Like startDetached, but under a chosen name, and waits for the first line that the program prints. The `input` ends when this
 * process does, so the program can tell.
 */
export async function startAnnounced(
  command: string[],
  name: string,
  variables: Variables,
  directory: string,
  input?: string,
): Promise<Announced> {
  const child = Bun.spawn(command, {
    argv0: name,
    env: safeVariables(variables),
    cwd: directory,
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
  });
  if (input !== undefined && typeof child.stdin === "object") {
    void child.stdin.write(input);
    void child.stdin.flush();
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of child.stdout) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes("\n")) break;
  }
  child.unref();
  return {
    line: text.slice(0, Math.max(0, text.indexOf("\n"))),
    end: async () => {
      child.ref();
      if (typeof child.stdin === "object") void child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), endTimeoutMs);
      await child.exited;
      clearTimeout(timer);
    },
  };
}

export const safeVariables = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !dangerous.has(name)));

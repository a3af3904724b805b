import { platform } from "../../platform/current.ts";
import type { Variables } from "../../core/variables.ts";

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program to its end; undefined when it cannot be started or takes too long. Then it is killed with its process group;
 * it does not wait for a process that escaped the group and keeps the streams open.
 */
export async function runToEnd(
  command: string[],
  options: { variables: Variables; milliseconds: number; stdin?: string },
): Promise<CommandResult | undefined> {
  const child = start(command, options);
  if (!child) return undefined;
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, options.milliseconds);
  await Promise.race([Promise.all([child.exited, stdout.ended, stderr.ended]), timeout]);
  clearTimeout(timer);
  const { exitCode } = child;
  if (exitCode === null && child.signalCode === null) platform.killGroup(child.pid);
  child.unref();
  const texts = { stdout: await stdout.leave(), stderr: await stderr.leave() };
  return exitCode === null ? undefined : { exitCode, ...texts };
}

function start(command: string[], options: { variables: Variables; stdin?: string }) {
  try {
    return Bun.spawn(command, {
      env: options.variables,
      stdin: options.stdin === undefined ? "ignore" : new TextEncoder().encode(options.stdin),
      stdout: "pipe",
      stderr: "pipe",
      // Its own process group, so that it can be killed as a whole.
      detached: true,
    });
  } catch {
    return undefined;
  }
}

interface Collected {
  ended: Promise<void>;
  /** The output so far; reading stops. */
  leave(): Promise<string>;
}

function collect(stream: ReadableStream<Uint8Array>): Collected {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  const readAll = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      chunks.push(value);
    }
  };
  return {
    ended: readAll(),
    async leave() {
      await reader.cancel();
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

/** They would turn our own executable into plain bun, or make it run foreign code first. */
const dangerous = new Set(["BUN_OPTIONS", "BUN_BE_BUN"]);

/** Starts a program that outlives us and that nobody waits for: no terminal, no streams, a session of its own. */
export function startDetached(
  command: string[],
  variables: Record<string, string | undefined>,
  directory: string,
): void {
  Bun.spawn(command, {
    env: safe(variables),
    cwd: directory,
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
  }).unref();
}

/**
 * As startDetached, under a name of our choice, and returns the first line that it prints; empty when it ends without one. Of
 * what it prints later nobody hears.
 */
export async function startAnnounced(
  command: string[],
  name: string,
  variables: Record<string, string | undefined>,
  directory: string,
): Promise<string> {
  const child = Bun.spawn(command, {
    argv0: name,
    env: safe(variables),
    cwd: directory,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of child.stdout) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes("\n")) break;
  }
  child.unref();
  return text.slice(0, Math.max(0, text.indexOf("\n")));
}

const safe = (variables: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !dangerous.has(name)));

/** They would turn our own executable into plain bun, or make it run foreign code first. */
const dangerous = new Set(["BUN_OPTIONS", "BUN_BE_BUN"]);

/** Starts a program that outlives us and that nobody waits for: no terminal, no streams, a session of its own. */
export function startDetached(
  command: string[],
  variables: Record<string, string | undefined>,
  directory: string,
): void {
  Bun.spawn(command, {
    env: Object.fromEntries(Object.entries(variables).filter(([name]) => !dangerous.has(name))),
    cwd: directory,
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
  }).unref();
}

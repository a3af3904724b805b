import type { Variables } from "../core/variables.ts";

/**
 * In the runtime directory of the login, or without one in /tmp by user id, like tmux. `own` is a directory that no other user can
 * reach; it comes second, because its path may be too long for a socket.
 */
export function socketDirectories(
  { XDG_RUNTIME_DIR: runtime }: Readonly<Variables>,
  own: string,
  user: number = process.geteuid?.() ?? 0,
): readonly string[] {
  const shared = `/tmp/ai-runtime-${user}`;
  return runtime?.startsWith("/") ? [`${runtime.replace(/\/+$/, "")}/ai-runtime`, own, shared] : [shared, own];
}

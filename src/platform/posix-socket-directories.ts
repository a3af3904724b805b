/** Under the login's own directory, else under /tmp by the user's number, as tmux has it. */
export function socketDirectories(
  { XDG_RUNTIME_DIR: runtime }: Readonly<Record<string, string | undefined>>,
  user: number = process.geteuid?.() ?? 0,
): readonly string[] {
  const own = runtime?.startsWith("/") ? [`${runtime.replace(/\/+$/, "")}/ai-runtime`] : [];
  return [...own, `/tmp/ai-runtime-${user}`];
}

/** `/proc/<pid>/stat` → start time in clock ticks since boot; undefined for a process that is dead but not yet reaped. */
export function parseLinuxStat(text: string): string | undefined {
  // The second field is the command in parentheses. It may contain spaces, parentheses and
  // line feeds: only the text after the last parenthesis is safe to split.
  const fields = text
    .slice(text.lastIndexOf(")") + 1)
    .trim()
    .split(" ");
  const [state] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined || !/^\d+$/.test(startTime)) {
    throw new Error(`not a /proc/<pid>/stat line: ${JSON.stringify(text.slice(0, 80))}`);
  }
  return state === "Z" || state === "X" || state === "x" ? undefined : startTime;
}

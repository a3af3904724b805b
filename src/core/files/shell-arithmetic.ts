/**
 * Whether the text between `$(` and `)` is arithmetic, as in `$((a + 1))`. Its own parentheses must not close before its end:
 * `$((a); (b))` runs commands.
 */
export function isArithmetic(inside: string): boolean {
  if (!inside.startsWith("(")) return false;
  let open = 0;
  return [...inside].every((character, at) => {
    open += character === "(" ? 1 : character === ")" ? -1 : 0;
    return open > 0 || at === inside.length - 1;
  });
}

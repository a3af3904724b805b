/** An address, a range or none, then perhaps `!`. */
const address = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)/.source;
const addresses = new RegExp(`(?:${address}(?:,[+~]?${address})?)?\\s*!?\\s*`, "y");
/** Commands that only print, delete lines of the output, or move text between buffers. */
const plainCommand = /(?:[pdDPgGhHxnNlzF=]|[qQ]\d*)(?=[\s;}]|$)/y;
const substitution = /([sy])([^\\\n\w\s])(?:(?!\2)[^\\\n]|\\.)*\2(?:(?!\2)[^\\\n]|\\.)*\2[gpiIM\d]*(?=[\s;}]|$)/y;
const between = /[\s;{}]*/y;

/**
 * Whether a script of sed is one of the usual ones that only change sed's own output. The commands `w`, `W` and `e`, also as
 * flags of `s`, write a file or run a program; what this reader does not know counts as such.
 */
export function isPlainSedScript(script: string): boolean {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(script);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (skip(between); at < script.length; skip(between)) {
    skip(addresses);
    // A group: its commands follow.
    if (script[at] === "{") continue;
    if (!skip(substitution) && !skip(plainCommand)) return false;
  }
  return true;
}

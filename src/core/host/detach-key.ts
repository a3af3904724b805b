/** The keys that detach a client: one Ctrl key, or one followed by a letter. */
export interface DetachKey {
  /** As shown to the user: `Ctrl-\ d`. */
  readonly name: string;
  readonly first: number;
  /** Undefined when the first key alone detaches. */
  readonly second: number | undefined;
}

/** A terminal sends Tab, Enter and Escape for these, and every arrow key starts with Escape. */
const unusableLetters = new Set(["I", "J", "M", "["]);

/** Reads `ctrl-b d` or `Ctrl-]`. Returns undefined when the text is not such a key. */
export function parseDetachKey(text: string): DetachKey | undefined {
  const match = /^\s*(?:ctrl[-+]|\^)([a-z@[\\\]^_])(?:\s+([a-z]))?\s*$/i.exec(text);
  const letter = match?.[1]?.toUpperCase();
  if (letter === undefined || unusableLetters.has(letter)) return undefined;
  const second = match?.[2]?.toLowerCase();
  return {
    name: `Ctrl-${letter}${second === undefined ? "" : ` ${second}`}`,
    first: letter.charCodeAt(0) & 0x1f,
    second: second?.charCodeAt(0),
  };
}

import { Failure } from "../core/failure.ts";

/** A shorter word is hardly a session: `restore 3` means a mark, and must not find the session that happens to begin with 3. */
const shortest = 4;

/** The session that an id, or the beginning of one, means; undefined when there is none. */
export function matchSession(ids: Iterable<string>, given: string): string | undefined {
  const all = new Set(ids);
  if (all.has(given)) return given;
  const matches = [...all].filter((id) => id.startsWith(given));
  if (matches.length > 0 && given.length < shortest) {
    throw new Failure("usage", `"${given}" is too short for a session`, {
      hint: `Give at least ${shortest} characters of its id. A mark is given by its number with --to.`,
    });
  }
  if (matches.length > 1) {
    const some = matches.slice(0, 5).join(", ");
    throw new Failure("usage", `"${given}" is the beginning of ${matches.length} sessions: ${some}`);
  }
  return matches[0];
}

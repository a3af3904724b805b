import { Failure } from "../../core/failure.ts";
import { matchId } from "../../core/match-id.ts";

/** `restore 3` means a mark: without a minimum it would find the session whose id happens to start with 3. */
const minPrefixLength = 4;

/** The session with this id or id prefix; undefined when there is none. */
export function matchSession(ids: Iterable<string>, given: string): string | undefined {
  const all = new Set(ids);
  const isTooShort = given.length < minPrefixLength && !all.has(given);
  if (isTooShort && [...all].some((id) => id.startsWith(given))) {
    throw new Failure("usage", `"${given}" is too short for a session id`, {
      hint: `Give at least ${minPrefixLength} characters of the id. To choose a mark by its number, use --to.`,
    });
  }
  return isTooShort ? undefined : matchId(all, given, { kind: "sessions" });
}

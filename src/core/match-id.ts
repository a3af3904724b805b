import { Failure } from "./failure.ts";

interface MatchOptions {
  /** What the ids stand for, in the plural: it is part of the message. */
  readonly kind: string;
  /** Also accepts the end of an id, where ids differ mostly in their last characters. */
  readonly allowSuffix?: boolean;
}

const maxListedIds = 5;

/** The id that equals `given`, or the only one that starts (or ends) with it. Throws when several do; undefined when none does. */
export function matchId(
  ids: Iterable<string>,
  given: string,
  { kind, allowSuffix = false }: MatchOptions,
): string | undefined {
  if (given === "") throw new Failure("usage", "the id is empty");
  const all = new Set(ids);
  if (all.has(given)) return given;
  const matches = [...all].filter((id) => id.startsWith(given) || (allowSuffix && id.endsWith(given)));
  if (matches.length <= 1) return matches[0];
  const more = matches.length > maxListedIds ? ", …" : "";
  const listed = matches.slice(-maxListedIds).join(", ");
  throw new Failure("usage", `"${given}" matches ${matches.length} ${kind}: ${listed}${more}`, {
    hint: "Give more characters of the id.",
  });
}

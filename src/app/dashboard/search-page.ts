import type { SearchPage } from "../../core/dashboard/contract.ts";
import { parseQuery } from "../../core/search/query.ts";
import type { Environment } from "../environment.ts";
import { search, type SearchResult } from "../search/search.ts";

/** The search of `session-snapshot search`; no word yet is no error, because the page searches while the user types. */
export async function searchFor(environment: Environment, words: string, limit: number): Promise<SearchPage> {
  if (parseQuery(words).all.length === 0) return { hits: [], isPartial: false, warnings: [] };
  const { results, isPartial, warnings } = await search(environment, { words, limit });
  return {
    isPartial,
    warnings,
    hits: results.map((result) => ({
      sessionId: result.session,
      title: result.title,
      project: result.project,
      time: result.time,
      speaker: speakerOf(result),
      snippet: result.snippet.text,
      marks: result.snippet.marks,
      entry: result.entry,
      command: result.resume,
    })),
  };
}

const speakerOf = ({ role, kind, tool }: SearchResult): string =>
  role === "tool" ? `${tool ?? "tool"}${kind === "call" ? "" : " output"}` : role === "user" ? "you" : "Claude";

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchHit, SearchPage } from "../../core/dashboard/contract.ts";
import { formatMoment, shortPath } from "../live/format.ts";
import { useLoaded } from "../live/load.ts";
import { Empty, Problem } from "../parts/notices.tsx";

const typingMs = 150;

/** Searches while the user types; the arrow keys move through the results. */
export function SearchView({ words, home, time }: { words: string; home: string; time: number }): JSX.Element {
  const [typed, setTyped] = useState(words);
  const [asked, setAsked] = useState(words);
  const list = useRef<HTMLOListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(typed);
      history.replaceState(null, "", `#/search${typed === "" ? "" : `?q=${encodeURIComponent(typed)}`}`);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const path = asked.trim() === "" ? undefined : `search?words=${encodeURIComponent(asked)}`;
  const { value, error, isLoading } = useLoaded<SearchPage>(path);
  const move = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    if (next < 0) input.current?.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  };
  const hits = value?.hits ?? [];
  return (
    <div onKeyDown={move}>
      <h1 class="hidden">Search</h1>
      <input
        ref={input}
        type="search"
        class="search"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        placeholder="Words in any conversation, live, compacted or deleted"
        aria-label="search in all conversations"
        autocomplete="off"
        spellcheck={false}
      />
      <p class="dim small" role="status">
        {isLoading ? "searching…" : path === undefined ? "" : `${hits.length} results`}
        {value?.isPartial && hits.length > 0 ? "; no message has all the words, these have some" : ""}
        {value?.warnings.map((warning) => ` · ${warning}`)}
      </p>
      {error ? <Problem error={error} /> : null}
      {value && hits.length === 0 && path !== undefined && !isLoading ? <Empty>Nothing found.</Empty> : null}
      <ol class="rows hits" ref={list}>
        {hits.map((hit) => (
          <li>
            <a href={`#/session/${hit.sessionId}${hit.entry === null ? "" : `?around=${hit.entry}`}`}>
              <b>{hit.title ?? hit.sessionId}</b>
              <span class="place">
                {shortPath(hit.project, home)}
                {hit.time === null ? "" : ` · ${formatMoment(hit.time, time)}`} · {hit.speaker}
              </span>
              <Snippet hit={hit} />
            </a>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Snippet({ hit: { snippet, marks } }: { hit: SearchHit }): JSX.Element {
  const pieces = marks.map(([from, to], index) => [
    snippet.slice(marks[index - 1]?.[1] ?? 0, from),
    <mark>{snippet.slice(from, to)}</mark>,
  ]);
  return (
    <span class="snippet">
      {pieces}
      {snippet.slice(marks.at(-1)?.[1] ?? 0)}
    </span>
  );
}

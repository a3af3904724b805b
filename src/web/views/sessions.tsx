import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SessionPage, SessionRow } from "../../core/dashboard/contract.ts";
import { formatDuration, shortPath } from "../live/format.ts";
import { useLoaded } from "../live/load.ts";
import { Empty, Problem } from "../parts/notices.tsx";

export function SessionsView({ home, time }: { home: string; time: number }): JSX.Element {
  const [rows, setRows] = useState<readonly SessionRow[]>([]);
  const [skip, setSkip] = useState(0);
  const { value, error, isLoading } = useLoaded<SessionPage>(`sessions?skip=${skip}`);
  useEffect(() => {
    if (value) setRows((before) => [...before.slice(0, skip), ...value.sessions]);
  }, [value]);
  const total = value?.total ?? rows.length;
  return (
    <>
      <h1>Sessions {total > 0 ? <span class="count">{total}</span> : null}</h1>
      {error ? <Problem error={error} /> : null}
      {value && total === 0 ? <Empty>No conversation has a snapshot yet.</Empty> : null}
      <ul class="rows">
        {rows.map(({ sessionId, title, directory, modified }) => (
          <li key={sessionId}>
            <a href={`#/session/${sessionId}`}>
              <b>{title ?? sessionId}</b>
              <span class="place">{directory === null ? "" : shortPath(directory, home)}</span>
              <span class="dim">{formatDuration(time - modified)} ago</span>
            </a>
          </li>
        ))}
      </ul>
      {rows.length < total ? (
        <button type="button" disabled={isLoading} onClick={() => setSkip(rows.length)}>
          show more
        </button>
      ) : null}
    </>
  );
}

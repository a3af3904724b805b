import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Card } from "../../core/dashboard/contract.ts";
import { post } from "../live/api.ts";
import { formatDollars, formatDuration, formatMoment, shortPath } from "../live/format.ts";
import { Problem } from "./notices.tsx";

const kinds: Record<Card["kind"], string> = { claude: "Claude", run: "run", service: "service" };
const waits = { start: "starts", limit: "resets", retry: "retries" } as const;

export interface Surroundings {
  readonly time: number;
  readonly home: string;
  readonly isReadOnly: boolean;
}

export function RunCard({ card, time, home, isReadOnly }: { card: Card } & Surroundings): JSX.Element {
  const { kind, id, title, tone, wait, words, since, lastStep, costUsd } = card;
  return (
    <article class={`card tone-${tone}`} aria-label={`${kinds[kind]} ${title || id}`}>
      <header>
        <span class="state">{words}</span>
        {wait && wait.until > time ? (
          <span class="wait" data-testid="countdown">
            {waits[wait.for]} {formatMoment(wait.until, time)} · <b>{formatDuration(wait.until - time)}</b>
          </span>
        ) : null}
        <span class="kind">{kinds[kind]}</span>
      </header>
      <h3>{title || <span class="dim">no title yet</span>}</h3>
      <p class="place" title={card.directory}>
        {shortPath(card.directory, home)}
      </p>
      {lastStep ? <p class="step">{lastStep}</p> : null}
      <footer>
        <span class="dim">
          {since === null ? "" : `since ${formatMoment(since, time)}`}
          {costUsd >= 0.005 ? ` · ${formatDollars(costUsd)}` : ""}
        </span>
        <Actions card={card} isReadOnly={isReadOnly} />
      </footer>
    </article>
  );
}

function Actions({ card, isReadOnly }: { card: Card; isReadOnly: boolean }): JSX.Element {
  const { id, kind, sessionId, hasTerminal, canStop, canResume } = card;
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const act = async (what: "stop" | "resume"): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await post(`run/${id}/${what}`);
    } catch (thrown) {
      setError(thrown as Error);
    }
    setBusy(false);
    setAsking(false);
  };
  const name = card.title || id;
  return (
    <span class="actions">
      {hasTerminal ? (
        <a class="button" href={`#/terminal/${id}`} aria-label={`terminal of ${name}`}>
          terminal
        </a>
      ) : null}
      {sessionId ? (
        <a class="button" href={`#/session/${sessionId}`} aria-label={`session of ${name}`}>
          session
        </a>
      ) : null}
      {kind === "run" ? (
        <a class="button" href={`#/run/${id}`} aria-label={`log of ${name}`}>
          log
        </a>
      ) : null}
      {canResume && !isReadOnly ? (
        <button type="button" disabled={isBusy} onClick={() => void act("resume")} aria-label={`resume ${name}`}>
          resume
        </button>
      ) : null}
      {canStop && !isReadOnly && kind !== "service" ? (
        isAsking ? (
          <>
            <button type="button" class="danger" disabled={isBusy} onClick={() => void act("stop")}>
              stop for good
            </button>
            <button type="button" class="quiet" onClick={() => setAsking(false)}>
              no
            </button>
          </>
        ) : (
          <button type="button" onClick={() => setAsking(true)} aria-label={`stop ${name}`}>
            stop
          </button>
        )
      ) : null}
      {error ? <Problem error={error} /> : null}
    </span>
  );
}

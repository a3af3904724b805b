import type { JSX } from "preact";
import type { Card, Now } from "../../core/dashboard/contract.ts";
import { Empty } from "../parts/notices.tsx";
import { RunCard } from "../parts/run-card.tsx";
import { Usage } from "../parts/usage.tsx";

export function NowView({ now, time }: { now: Now; time: number }): JSX.Element {
  const { cards, home, isReadOnly } = now;
  const groups: readonly [title: string, cards: readonly Card[]][] = [
    ["Needs you", cards.filter(({ tone, hasEnded }) => tone === "ask" && !hasEnded)],
    ["Active", cards.filter(({ tone, hasEnded, kind }) => tone !== "ask" && !hasEnded && kind !== "service")],
    ["Services", cards.filter(({ kind }) => kind === "service")],
    ["Ended", cards.filter(({ hasEnded }) => hasEnded)],
  ];
  return (
    <>
      <h1 class="hidden">Now</h1>
      {now.problems.map((problem) => (
        <p class="problem" role="alert">
          {problem}
        </p>
      ))}
      <Usage now={now} time={time} />
      {cards.length === 0 ? (
        <Empty>
          Nothing runs yet. Start <code>cclaude</code> in a terminal, or a <a href="#/runs">run</a> here.
        </Empty>
      ) : null}
      {groups.map(([title, shown]) =>
        shown.length === 0 ? null : (
          <section key={title} aria-label={title}>
            <h2>
              {title} <span class="count">{shown.length}</span>
            </h2>
            <div class="cards">
              {shown.map((card) => (
                <RunCard key={card.id} card={card} time={time} home={home} isReadOnly={isReadOnly} />
              ))}
            </div>
          </section>
        ),
      )}
      {now.olderRuns > 0 ? (
        <p class="dim">
          {now.olderRuns} older runs are under <a href="#/runs">Runs</a>.
        </p>
      ) : null}
    </>
  );
}

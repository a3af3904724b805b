import { type JSX, render } from "preact";
import { Suspense, lazy } from "preact/compat";
import { type Live, useClock, useLive } from "./live/live.ts";
import { type Route, useRoute } from "./live/route.ts";
import { DoctorView } from "./views/doctor.tsx";
import { NowView } from "./views/now.tsx";
import { LogView, RunsView } from "./views/runs.tsx";
import { SearchView } from "./views/search.tsx";
import { SessionView } from "./views/session.tsx";
import { SessionsView } from "./views/sessions.tsx";

// The terminal is larger than everything else together, so it is loaded when it is used.
const TerminalView = lazy(() => import("./views/terminal.tsx"));

const tabs: readonly [view: string, name: string][] = [
  ["", "Now"],
  ["sessions", "Sessions"],
  ["search", "Search"],
  ["runs", "Runs"],
  ["doctor", "Doctor"],
];
const parents: Readonly<Record<string, string>> = { session: "sessions", run: "runs", terminal: "" };

function Page(): JSX.Element {
  const route = useRoute();
  const live = useLive(route.view === "session" ? route.id : undefined);
  const time = useClock(live.clockOffset);
  const current = parents[route.view] ?? route.view;
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        skip to content
      </a>
      <header class="top">
        <span class="name">ai-runtime</span>
        <nav aria-label="views">
          {tabs.map(([view, name]) => (
            <a href={`#/${view}`} aria-current={view === current ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span class="dim machine">
          {live.now ? `${live.now.machine}${live.now.isReadOnly ? " · read-only" : ""}` : ""}
        </span>
      </header>
      <ConnectionNotice live={live} />
      <main id="main" tabIndex={-1}>
        <View route={route} live={live} time={time} />
      </main>
    </>
  );
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function ConnectionNotice({ live: { connection } }: { live: Live }): JSX.Element | null {
  if (connection === "lost") {
    return (
      <p class="connection" role="status">
        The server does not answer. Trying again…
      </p>
    );
  }
  if (connection !== "needs-link") return null;
  return (
    <p class="connection" role="alert">
      This page needs a new link. Run <code>ai-runtime dashboard</code> in a terminal.
    </p>
  );
}

function View({ route: { view, id, query }, live, time }: { route: Route; live: Live; time: number }): JSX.Element {
  const { now, transcriptSize } = live;
  if (!now) return <p class="dim">loading…</p>;
  const { home, isReadOnly } = now;
  switch (view) {
    case "sessions":
      return <SessionsView home={home} time={time} />;
    case "session":
      return (
        <SessionView
          key={id}
          id={id}
          around={query.get("around") ?? undefined}
          home={home}
          time={time}
          isReadOnly={isReadOnly}
          transcriptSize={transcriptSize}
        />
      );
    case "search":
      return <SearchView words={query.get("q") ?? ""} home={home} time={time} />;
    case "runs":
      return <RunsView now={now} time={time} />;
    case "run":
      return <LogView key={id} id={id} now={now} time={time} />;
    case "doctor":
      return <DoctorView />;
    case "terminal":
      return (
        <Suspense fallback={<p class="dim">loading…</p>}>
          <TerminalView key={id} id={id} card={now.cards.find((card) => card.id === id)} isReadOnly={isReadOnly} />
        </Suspense>
      );
    default:
      return <NowView now={now} time={time} />;
  }
}

const root = document.getElementById("page");
if (root) render(<Page />, root);

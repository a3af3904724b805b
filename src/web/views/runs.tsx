import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Card, type LogPart, type Now, offeredModes } from "../../core/dashboard/contract.ts";
import { get, post } from "../live/api.ts";
import { useLoaded } from "../live/load.ts";
import { Command, Empty, Problem } from "../parts/notices.tsx";
import { RunCard } from "../parts/run-card.tsx";

export function RunsView({ now, time }: { now: Now; time: number }): JSX.Element {
  const { home, isReadOnly } = now;
  // The live list has all active runs, so its change is a reason to read the long list again.
  const version = now.cards.map(({ id, words }) => `${id} ${words}`).join("\n");
  const { value, error } = useLoaded<readonly Card[]>("runs", version);
  return (
    <>
      <h1>Runs</h1>
      {isReadOnly ? null : <NewRun now={now} />}
      {error ? <Problem error={error} /> : null}
      <h2 class="hidden">All runs</h2>
      {value?.length === 0 ? <Empty>There are no runs yet.</Empty> : null}
      <div class="cards">
        {(value ?? []).map((card) => (
          <RunCard key={card.id} card={card} time={time} home={home} isReadOnly={isReadOnly} />
        ))}
      </div>
    </>
  );
}

const modeWords: Record<(typeof offeredModes)[number], string> = {
  plan: "plan only",
  default: "Claude's default",
  acceptEdits: "accept edits",
};

function NewRun({ now }: { now: Now }): JSX.Element {
  const directories = [...new Set(now.cards.map(({ directory }) => directory))];
  const [directory, setDirectory] = useState(directories[0] ?? now.home);
  const [task, setTask] = useState("");
  const [mode, setMode] = useState<(typeof offeredModes)[number]>("default");
  const [isBusy, setBusy] = useState(false);
  const [started, setStarted] = useState<{ id: string; command: string }>();
  const [error, setError] = useState<Error>();
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      setStarted(await post("runs", { task, directory, permissionMode: mode }));
      setTask("");
    } catch (thrown) {
      setError(thrown as Error);
    }
    setBusy(false);
  };
  return (
    <form
      class="new-run"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <label class="wide">
        Task
        <textarea rows={3} required value={task} onInput={({ currentTarget }) => setTask(currentTarget.value)} />
      </label>
      <label>
        Directory
        <input
          required
          list="directories"
          value={directory}
          onInput={({ currentTarget }) => setDirectory(currentTarget.value)}
          spellcheck={false}
        />
      </label>
      <datalist id="directories">
        {directories.map((each) => (
          <option value={each} />
        ))}
      </datalist>
      <label>
        Permission mode
        <select
          value={mode}
          onChange={({ currentTarget }) => setMode(currentTarget.value as (typeof offeredModes)[number])}
        >
          {offeredModes.map((each) => (
            <option value={each}>{modeWords[each]}</option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary" disabled={isBusy}>
        start run
      </button>
      {error ? <Problem error={error} /> : null}
      {started ? (
        <p class="done" role="status">
          Started <a href={`#/run/${started.id}`}>{started.id}</a>
          <Command text={started.command} />
        </p>
      ) : null}
    </form>
  );
}

const logPauseMs = 700;
const maxShownCharacters = 400_000;

/** The output of one run, followed while the tab is visible. */
export function LogView({ id, now, time }: { id: string; now: Now; time: number }): JSX.Element {
  const [text, setText] = useState("");
  const [error, setError] = useState<Error>();
  const end = useRef(0);
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    let timer: number | undefined;
    let isOver = false;
    const follow = async (): Promise<void> => {
      try {
        const part = document.hidden
          ? undefined
          : await get<LogPart>(`run/${encodeURIComponent(id)}/log?from=${end.current}`);
        if (isOver) return;
        if (part && part.text !== "") {
          end.current = part.end;
          setText((before) => (before + part.text).slice(-maxShownCharacters));
        }
        setError(undefined);
      } catch (thrown) {
        setError(thrown as Error);
      }
      timer = window.setTimeout(() => void follow(), logPauseMs);
    };
    void follow();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id]);
  useEffect(() => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [text]);
  const card = now.cards.find((each) => each.id === id);
  return (
    <>
      <h1>Run {id}</h1>
      <h2 class="hidden">State and output</h2>
      {card ? (
        <div class="cards">
          <RunCard card={card} time={time} home={now.home} isReadOnly={now.isReadOnly} />
        </div>
      ) : null}
      {error ? <Problem error={error} /> : null}
      <pre class="log" tabIndex={0} ref={box} aria-label="output of the run">
        {text}
      </pre>
    </>
  );
}

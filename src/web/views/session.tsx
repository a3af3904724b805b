import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ConversationPart, SessionAction, SessionTimeline } from "../../core/dashboard/contract.ts";
import { shortPath } from "../live/format.ts";
import { useLoaded } from "../live/load.ts";
import { type Choice, choicesOf } from "../parts/choices.ts";
import { Conversation } from "../parts/conversation.tsx";
import { Command, Problem } from "../parts/notices.tsx";
import { PlanDialog, type Wish } from "../parts/plan-dialog.tsx";
import { Timeline } from "../parts/timeline.tsx";

const moreBlocks = 200;

export interface SessionViewProps {
  readonly id: string;
  readonly around: string | undefined;
  readonly home: string;
  readonly time: number;
  readonly isReadOnly: boolean;
  readonly transcriptSize: number | undefined;
}

export function SessionView({ id, around, home, time, isReadOnly, transcriptSize }: SessionViewProps): JSX.Element {
  const version = useThrottled(transcriptSize);
  const { value: timeline, error, reload } = useLoaded<SessionTimeline>(`session/${id}`, version);
  const choices = useMemo(() => (timeline ? choicesOf(timeline) : []), [timeline]);
  const [to, setTo] = useState<string>();
  const [wish, setWish] = useState<Wish>();
  useEffect(() => setTo(undefined), [id, around]);
  const chosen = choices.find((each) => each.to === to);
  // A mark of files is a moment of the conversation, too: the last turn or mark before it.
  const spoken =
    chosen?.kind === "files" ? choices.findLast(({ kind, time: at }) => kind !== "files" && at <= chosen.time) : chosen;
  if (error) return <Problem error={error} />;
  if (!timeline) return <p class="dim">loading…</p>;
  return (
    <>
      <h1>{timeline.title ?? id}</h1>
      <p class="place">
        {timeline.directory === null ? "" : shortPath(timeline.directory, home)} · <code>{id}</code> · {timeline.turns}{" "}
        turns
        {timeline.openIn === null ? "" : ` · open in ${timeline.openIn}`}
      </p>
      <Timeline
        timeline={timeline}
        choices={choices}
        chosen={chosen}
        time={time}
        onChoose={(choice) => setTo(choice.to)}
      />
      <Actions
        isReadOnly={isReadOnly}
        timeline={timeline}
        chosen={chosen}
        onWish={setWish}
        onNow={() => setTo(undefined)}
      />
      <ConversationAt id={id} to={spoken?.to} around={to === undefined ? around : undefined} version={version} />
      {timeline.openIn === null ? <Command text={`cclaude --resume ${id}`} /> : null}
      {wish ? (
        <PlanDialog
          sessionId={id}
          wish={wish}
          onClose={() => setWish(undefined)}
          onDone={() => {
            setTo(undefined);
            reload();
          }}
        />
      ) : null}
    </>
  );
}

function Actions({
  isReadOnly,
  timeline,
  chosen,
  onWish,
  onNow,
}: {
  isReadOnly: boolean;
  timeline: SessionTimeline;
  chosen: Choice | undefined;
  onWish: (wish: Wish) => void;
  onNow: () => void;
}): JSX.Element {
  const hasSnapshot = timeline.marks.length > 0;
  const button = (label: string, action: SessionAction, isPossible: boolean): JSX.Element => (
    <button
      type="button"
      disabled={!isPossible || isReadOnly}
      onClick={() => onWish({ action, to: action.startsWith("restore") ? chosen?.to : undefined })}
    >
      {label}
    </button>
  );
  const isConversation = chosen !== undefined && chosen.kind !== "files";
  return (
    <div class="bar">
      {button("restore to here…", "restore", hasSnapshot && isConversation)}
      {button("restore files to here…", "restore-files", timeline.fileMarks.length > 0 && chosen !== undefined)}
      {button("undo restore…", "undo", timeline.canUndo)}
      {button("undo files…", "undo-files", timeline.canUndoFiles)}
      {button("fork…", "fork", hasSnapshot && timeline.directory !== null)}
      {chosen ? (
        <button type="button" class="quiet" onClick={onNow}>
          back to now
        </button>
      ) : null}
    </div>
  );
}

interface ConversationAtProps {
  readonly id: string;
  readonly to: string | undefined;
  readonly around: string | undefined;
  readonly version: unknown;
}

function ConversationAt({ id, to, around, version }: ConversationAtProps): JSX.Element {
  const [count, setCount] = useState(moreBlocks);
  const query = new URLSearchParams({ count: String(count) });
  if (to !== undefined) query.set("to", to);
  if (around !== undefined) query.set("around", around);
  const { value, error, isLoading } = useLoaded<ConversationPart>(
    `session/${id}/conversation?${query}`,
    to ? "" : version,
  );
  // What was shown stays until the new part is there.
  const shown = useRef<ConversationPart>(undefined);
  if (value) shown.current = value;
  const part = shown.current;
  return (
    <section aria-label="conversation" aria-busy={isLoading}>
      <h2>
        Conversation <span class="count">{part?.at ?? ""}</span>
      </h2>
      {error ? <Problem error={error} /> : null}
      {around === undefined ? null : (
        <p>
          <a href={`#/session/${id}`}>show the whole conversation</a>
        </p>
      )}
      {part && part.earlier > 0 ? (
        <button type="button" onClick={() => setCount(count + moreBlocks * 2)}>
          show earlier ({part.earlier})
        </button>
      ) : null}
      {part ? <Conversation blocks={part.blocks} /> : null}
    </section>
  );
}

const throttleMs = 400;

/** Follows a value, at most a few times a second: each change costs a look at the whole session. */
function useThrottled<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + throttleMs - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      setShown(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value]);
  return shown;
}

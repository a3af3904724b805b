import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SessionTimeline, TimelineEvent } from "../../core/dashboard/contract.ts";
import { formatCount, formatMoment } from "../live/format.ts";
import type { Choice } from "./choices.ts";
import { timeScale } from "./timeline-scale.ts";

const height = 190;
const top = 18;
const bottom = 150;
const rails: Record<Choice["kind"], number> = { turn: 150, mark: 163, files: 177 };
const left = 8;

export interface TimelineProps {
  readonly timeline: SessionTimeline;
  readonly choices: readonly Choice[];
  readonly chosen: Choice | undefined;
  readonly time: number;
  onChoose(choice: Choice): void;
}

/** The session as a picture: context tokens over time, and what happened. Arrow keys move from point to point. */
export function Timeline({ timeline, choices, chosen, time, onChoose }: TimelineProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  const [hovered, setHovered] = useState<Choice>();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, entry?.contentRect.width ?? 800)));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const { points, events, window: contextWindow } = timeline;
  const scale = useMemo(
    () => timeScale([...points, ...choices, ...events].map((each) => each.time)),
    [timeline, choices],
  );
  const x = (at: number): number => left + scale(at) * (width - 2 * left);
  const highest = Math.max(1_000, ...points.map(({ tokens }) => tokens));
  const ceiling = highest > contextWindow / 4 ? Math.max(contextWindow, highest) : highest * 1.3;
  const y = (tokens: number): number => bottom - (tokens / ceiling) * (bottom - top);
  const line = points.map(({ time: at, tokens }) => `${x(at).toFixed(1)},${y(tokens).toFixed(1)}`);
  const area =
    points.length === 0
      ? ""
      : `M${x(points[0]?.time ?? 0)},${bottom} L${line.join(" L")} L${x(points.at(-1)?.time ?? 0)},${bottom}Z`;
  const at = chosen ? choices.findIndex(({ to }) => to === chosen.to) : -1;
  const nearest = (event: MouseEvent): Choice | undefined => {
    const bounds = box.current?.getBoundingClientRect();
    const [px, py] = [event.clientX - (bounds?.left ?? 0), event.clientY - (bounds?.top ?? 0)];
    const cost = (each: Choice): number =>
      Math.abs(x(each.time) - px) + 2 * Math.max(0, Math.abs(rails[each.kind] - py) - (each.kind === "turn" ? 140 : 6));
    return choices.reduce<Choice | undefined>(
      (best, each) => (best && cost(best) <= cost(each) ? best : each),
      undefined,
    );
  };
  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -Infinity,
      End: Infinity,
      PageUp: -10,
      PageDown: 10,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = choices[Math.min(choices.length - 1, Math.max(0, (at < 0 ? choices.length : at) + step))];
    if (next) onChoose(next);
  };
  const shown = hovered ?? chosen;
  return (
    <figure class="timeline">
      <div
        ref={box}
        class="picture"
        role="slider"
        tabIndex={0}
        aria-label="points of the session"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, choices.length - 1)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={chosen ? `${chosen.label}, ${formatMoment(chosen.time, time)}` : "now"}
        onKeyDown={move}
        onMouseMove={(event) => setHovered(nearest(event))}
        onMouseLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const choice = nearest(event);
          if (choice) onChoose(choice);
        }}
      >
        <svg width={width} height={height} aria-hidden="true">
          <text class="axis" x={left} y={12}>
            {formatCount(ceiling)} tokens
          </text>
          <line class="ceiling" x1={left} x2={width - left} y1={top} y2={top} />
          <path class="area" d={area} />
          <polyline class="context" points={line.join(" ")} />
          {events.map((event) => (
            <Event event={event} x={x(event.time)} />
          ))}
          {choices.map((choice) => (
            <rect
              class={`dot ${choice.kind}`}
              x={x(choice.time) - 2.5}
              y={rails[choice.kind] - 2.5}
              width={5}
              height={5}
              rx={choice.kind === "turn" ? 2.5 : 1}
            />
          ))}
          {shown ? (
            <g class="cursor">
              <line x1={x(shown.time)} x2={x(shown.time)} y1={top - 4} y2={height - 6} />
              {shown.tokens === null ? null : <circle cx={x(shown.time)} cy={y(shown.tokens)} r={4} />}
            </g>
          ) : null}
        </svg>
      </div>
      <figcaption>
        <span class="legend">
          <i class="turn" /> turns <i class="mark" /> marks <i class="files" /> files <i class="compaction" />{" "}
          compaction <i class="limit" /> limit <i class="restore" /> restore
        </span>
        <span class="label">
          {shown
            ? `${formatMoment(shown.time, time)} · ${shown.label}`
            : "Pick a point: click, or focus the picture and use the arrow keys."}
        </span>
      </figcaption>
      {events.length === 0 ? null : (
        <details class="events">
          <summary>{events.length === 1 ? "1 event" : `${events.length} events`}</summary>
          <ul>
            {events.map((event) => (
              <li>
                <b class={event.kind}>{event.kind}</b> {formatMoment(event.time, time)} {event.text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </figure>
  );
}

const Event = ({ event, x }: { event: TimelineEvent; x: number }): JSX.Element => (
  <g class={`event ${event.kind}`}>
    <line x1={x} x2={x} y1={top} y2={bottom} />
    <path d={`M${x - 4},${top - 8} h8 l-4,8z`} />
    <title>{event.text}</title>
  </g>
);

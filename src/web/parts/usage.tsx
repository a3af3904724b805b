import type { JSX } from "preact";
import type { Now, UsageWindowView } from "../../core/dashboard/contract.ts";
import { formatDollars, formatDuration, formatMoment } from "../live/format.ts";

export function Usage({ now, time }: { now: Now; time: number }): JSX.Element {
  const { windows, seen } = now.usage;
  return (
    <section class="usage" aria-labelledby="usage-title">
      <h2 id="usage-title">Usage</h2>
      <div class="windows">
        {windows.length === 0 ? <p class="empty">Claude has not reported any usage yet.</p> : null}
        {windows.map((window) => (
          <Window key={window.name} window={window} time={time} />
        ))}
        <div class="window costs">
          <div class="head">
            <b>cost of runs</b>
          </div>
          <p>
            <span class="figure">{formatDollars(now.todayUsd)}</span> today
          </p>
          <p>
            <span class="figure">{formatDollars(now.weekUsd)}</span> in 7 days
          </p>
        </div>
      </div>
      {seen === null ? null : <p class="dim small">reported {formatDuration(time - seen)} ago</p>}
    </section>
  );
}

function Window({ window, time }: { window: UsageWindowView; time: number }): JSX.Element {
  const { name, percent, resetsAt, perHour, fullAt } = window;
  const tone = percent >= 90 ? "ask" : percent >= 70 || fullAt !== null ? "wait" : "busy";
  const reset = resetsAt === null ? "" : `resets ${formatMoment(resetsAt, time)} (${formatDuration(resetsAt - time)})`;
  const forecast =
    fullAt !== null
      ? `full ${formatMoment(fullAt, time)} at this rate`
      : perHour === null
        ? ""
        : "not full before its reset";
  return (
    <div class={`window tone-${tone}`}>
      <div class="head">
        <b>{name}</b>
        <span class="figure">{Math.floor(percent)}%</span>
      </div>
      <div
        class="meter"
        role="meter"
        aria-label={`${name} window`}
        aria-valuenow={Math.floor(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <Forecast window={window} time={time} />
      <p class="small">{reset}</p>
      <p class="small dim">
        {[forecast, perHour === null ? "" : `${perHour.toFixed(1)}%/h`].filter(Boolean).join(" · ")}
      </p>
    </div>
  );
}

const width = 240;
const height = 44;

/** What was used so far, and the line to where the present rate leads until the reset. */
function Forecast({ window, time }: { window: UsageWindowView; time: number }): JSX.Element | null {
  const { chart, spanMs, percent, perHour, resetsAt } = window;
  const known = chart.flatMap((share, at) => (share === null ? [] : [{ at, share }]));
  if (known.length < 2) return null;
  const aheadMs = perHour === null || perHour <= 0 ? 0 : Math.min(spanMs / 2, Math.max(0, (resetsAt ?? time) - time));
  const x = (ms: number): number => (ms / (spanMs + aheadMs)) * width;
  const y = (share: number): number => height - (Math.min(100, share) / 100) * (height - 2) - 1;
  const step = spanMs / chart.length;
  const line = known.map(({ at, share }) => `${x((at + 1) * step).toFixed(1)},${y(share).toFixed(1)}`);
  const end = percent + ((perHour ?? 0) * aheadMs) / 3_600_000;
  return (
    <svg class="forecast" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={line.join(" ")} />
      {aheadMs > 0 ? <line class="ahead" x1={x(spanMs)} y1={y(percent)} x2={width} y2={y(end)} /> : null}
    </svg>
  );
}

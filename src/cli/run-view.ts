import { appendRunLog } from "../app/run-log.ts";
import type { RunEvent, RunView } from "../app/run-view.ts";
import type { RunRecord } from "../core/run-record.ts";
import type { Countdown } from "../app/talk.ts";
import { showCountdown } from "./countdown.ts";
import { exitCodes } from "./exit-codes.ts";
import { formatTime } from "./format.ts";
import { createColors } from "picocolors/picocolors.js";
import type { Output } from "./output.ts";
import { describeRunEvent, type Line } from "./run-words.ts";
import { plainLines } from "./plain-lines.ts";
import { truncate } from "./table.ts";

/** What a person watches, on stderr; the answer alone goes to stdout. */
export function terminalView(output: Output, stderr: NodeJS.WriteStream, isColored: boolean): RunView {
  const colors = createColors(isColored);
  const paint: Record<Line["tone"], (text: string) => string> = {
    plain: String,
    quiet: colors.dim,
    good: colors.green,
    warning: colors.yellow,
  };
  let countdown: Countdown | undefined;
  const endCountdown = (reached: boolean): void => {
    countdown?.end(reached);
    countdown = undefined;
  };
  return {
    show: (event) => {
      endCountdown(event.kind === "resuming");
      answer(event, output);
      const line = describeRunEvent(event, Date.now());
      if (!line || (output.mode === "quiet" && !isWorthSaying(event))) return;
      // One line of ours stays one on any terminal; in a file nothing is cut.
      const fits = event.kind === "tool" && stderr.isTTY ? truncate(line.text, (stderr.columns || 100) - 1) : line.text;
      stderr.write(`${paint[line.tone](fits)}\n`);
    },
    tick:
      stderr.isTTY && output.mode !== "quiet"
        ? (until, left, waitsFor) => {
            if (waitsFor !== "limit") return;
            countdown ??= showCountdown(stderr, until, Date.now(), { program: "ai-runtime" });
            countdown.tick(left);
          }
        : undefined,
  };
}

/** As it is for a program; on a terminal nothing of it can paint. */
function answer(event: RunEvent, output: Output): void {
  if (event.kind !== "ended" || event.answer === undefined || event.answer === "") return;
  output.data(output.isTerminal ? plainLines(event.answer) : event.answer);
}

/** Also to somebody who wants to hear nothing but the answer. */
const isWorthSaying = (event: RunEvent): boolean =>
  event.kind === "trouble" || event.kind === "denied" || (event.kind === "ended" && event.exit !== "done");

/** Our own events for a script, one JSON object a line: see docs/JSON.md. */
export function jsonView(stdout: NodeJS.WriteStream): RunView {
  return { show: (event) => void stdout.write(`${JSON.stringify(jsonEvent(event, Date.now()))}\n`) };
}

function jsonEvent(event: RunEvent, now: number): object {
  const { kind, ...fields } = event;
  const base = { event: kind, time: new Date(now).toISOString() };
  if (event.kind === "started") {
    const { id, sessionId, cwd, task, created, permissionMode, directory } = event.plan;
    return { ...base, id, session: sessionId, cwd, task, permissionMode, directory, created: iso(created) };
  }
  if (event.kind === "ended") {
    const { id, sessionId, phase, cause, until, answer, steps, attempts, costUsd, milliseconds } = event;
    const end = { id, session: sessionId, state: phase, cause, until: iso(until), answer: answer ?? null };
    return { ...base, ...end, steps, attempts, costUsd, milliseconds, exitCode: runExitCode(event) };
  }
  if ("until" in event) return { ...base, ...fields, until: iso(event.until) };
  return { ...base, ...fields };
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** What the run has printed, for attach and logs: the same words with the time, and the answer. */
export function logView(record: RunRecord): RunView {
  return {
    show: (event) => {
      const now = Date.now();
      const line = describeRunEvent(event, now);
      const words =
        event.kind === "ended" && event.answer ? [plainLines(event.answer), line?.text ?? ""] : [line?.text ?? ""];
      for (const text of words.filter((each) => each !== "")) {
        appendRunLog(record, `${formatTime(now, now)} ${text.replaceAll("\n", "\n         ")}`);
      }
    },
  };
}

export function bothViews(first: RunView, second: RunView): RunView {
  return {
    show: (event) => {
      first.show(event);
      second.show(event);
    },
    tick: first.tick ?? second.tick,
  };
}

/** Claude's own where it refused to start; else ours. */
export function runExitCode(event: Extract<RunEvent, { kind: "ended" }>): number {
  if (event.cause === "refused" && event.claudeExitCode) return event.claudeExitCode;
  return exitCodes[event.exit];
}

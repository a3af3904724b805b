import { appendRunLog } from "../../app/run-records/run-log.ts";
import type { RunEvent, RunView } from "../../app/run/run-events.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import type { Countdown } from "../../app/cclaude/announcer.ts";
import { showCountdown } from "./countdown.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatTime } from "../format.ts";
import { createColors } from "picocolors/picocolors.js";
import type { Output } from "../output.ts";
import { askAboutCost } from "../messages/ask-about-cost.ts";
import { describeRunEvent, type Line } from "./run-messages.ts";
import { plainLines } from "../plain-lines.ts";
import { truncate } from "../table.ts";

/** For a person: progress on stderr, only the answer on stdout. */
export function terminalView(
  { plan }: RunRecord,
  output: Output,
  stderr: NodeJS.WriteStream,
  isColored: boolean,
): RunView {
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
      printAnswer(event, output);
      const line = describeRunEvent(event, plan, Date.now());
      if (!line || (output.mode === "quiet" && !isShownWhenQuiet(event))) return;
      // Cut to the width of a terminal, so that it stays one line; never cut in a file.
      const fits = event.kind === "tool" && stderr.isTTY ? truncate(line.text, (stderr.columns || 100) - 1) : line.text;
      stderr.write(`${paint[line.tone](fits)}\n`);
    },
    ask: output.canAsk && output.mode === "human" ? askAboutCost : undefined,
    notice: stderr.isTTY ? (bytes) => void stderr.write(bytes) : undefined,
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

/** Unchanged for a program; on a terminal without control characters. */
function printAnswer(event: RunEvent, output: Output): void {
  if (event.kind !== "ended" || event.answer === undefined || event.answer === "") return;
  output.data(output.isTerminal ? plainLines(event.answer) : event.answer);
}

/** With --quiet only problems are shown beside the answer. */
const isShownWhenQuiet = (event: RunEvent): boolean =>
  event.kind === "trouble" || event.kind === "denied" || (event.kind === "ended" && event.exit !== "done");

/** For a script: one JSON object per line, see docs/JSON.md. */
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
    const { id, sessionId, phase, cause, until, answer, message, steps, attempts, costUsd, milliseconds } = event;
    const end = { id, session: sessionId, state: phase, cause, until: iso(until), answer: answer ?? null };
    return {
      ...base,
      ...end,
      message: message ?? null,
      steps,
      attempts,
      costUsd,
      costTodayUsd: event.costs?.todayUsd ?? null,
      costProjectUsd: event.costs?.projectUsd ?? null,
      milliseconds,
      exitCode: runExitCode(event),
    };
  }
  if ("until" in event) return { ...base, ...fields, until: iso(event.until) };
  return { ...base, ...fields };
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** For attach and logs: the same lines with the time, and the answer. */
export function logView(record: RunRecord): RunView {
  return {
    show: (event) => {
      const now = Date.now();
      const line = describeRunEvent(event, record.plan, now);
      const texts =
        event.kind === "ended" && event.answer ? [plainLines(event.answer), line?.text ?? ""] : [line?.text ?? ""];
      for (const text of texts.filter((each) => each !== "")) {
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
    ask: first.ask ?? second.ask,
    notice: first.notice ?? second.notice,
    tick: first.tick ?? second.tick,
  };
}

/** Claude's exit code when it did not start; else ours. */
export function runExitCode(event: Extract<RunEvent, { kind: "ended" }>): number {
  if (event.cause === "refused" && event.claudeExitCode) return event.claudeExitCode;
  return exitCodes[event.exit];
}

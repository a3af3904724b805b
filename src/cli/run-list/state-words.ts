import {
  type ListedRun,
  stateOfRun,
  type StateWords,
  wordsOfHosted,
  wordsOfPhase,
  wordsOfRun,
} from "../../app/run-records/list-runs.ts";
import type { HostedState } from "../../core/host/hosted-state.ts";
import type { RunKind, RunStatus } from "../../core/run/run-record.ts";
import { formatClock, formatDuration } from "../format.ts";

export { shortId, stateSince, titleOf } from "../../app/run-records/list-runs.ts";

export const describeState = (run: ListedRun, now: number): string => describe(wordsOfRun(stateOfRun(run)), now);

export const describePhase = (status: RunStatus, kind: RunKind, now: number): string =>
  describe(wordsOfPhase(status, kind), now);

export const describeHosted = (state: HostedState, now: number): string => describe(wordsOfHosted(state), now);

function describe({ words, wait }: StateWords, now: number): string {
  if (wait === null) return words;
  const { until } = wait;
  switch (wait.for) {
    case "start":
      return until > now ? `${words} → ${formatClock(until, now)}` : words;
    case "limit":
      return `${words} → ${formatClock(until, now)} (${formatDuration(until - now)})`;
    case "retry":
      return `${words} in ${formatDuration(until - now)}`;
  }
}

/** In its largest unit: `5m`, `2h`. */
export const roughDuration = (milliseconds: number): string => formatDuration(milliseconds).split(" ")[0] ?? "";

/** `~/shop` for a directory below the home directory. */
export const shortPath = (path: string, home: string): string =>
  path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

import { RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { isHeld, listActiveIds, readIfWhole } from "../../store/runs/run-registry.ts";
import { isAnnounced, plainName } from "../../store/runs/session-registry.ts";
import type { LiveSession } from "../../claude/live-sessions.ts";
import { listLeftClaudes } from "./left-claudes.ts";
import { bestEffort } from "../best-effort.ts";
import { currentEnvironment } from "../environment.ts";
import type { Variables } from "../../core/variables.ts";

/** Whether a record of this directory, ours or Claude's own, has lost its process. Quick, because every start in a terminal calls it. */
export function hasLeftRecords(variables: Variables): boolean {
  const environment = currentEnvironment(variables);
  const paths = new RunPaths(runRoot(variables, environment.home));
  const isLeft = (id: string): boolean => {
    const record = readIfWhole(paths, id);
    return record?.plan.cwd === environment.cwd && !isHeld(record);
  };
  const isNews = ({ sessionId, startedAt = 0 }: LiveSession): boolean =>
    !isAnnounced(paths, plainName(sessionId), startedAt);
  const find = (): boolean => listActiveIds(paths).some(isLeft) || listLeftClaudes(environment).some(isNews);
  return bestEffort(environment, find, false);
}

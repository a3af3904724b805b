import { currentEnvironment, type Environment } from "../../../app/environment.ts";
import { recentRuns } from "../../../app/run-records/list-runs.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { listServices } from "../../../app/service/services.ts";
import { recentSessions } from "../../../app/session/recent-sessions.ts";
import { isIdKind, type IdKind } from "../../completions/id-kinds.ts";
import { oneLine } from "../../one-line.ts";
import { truncate } from "../../table.ts";

/** About a screen of offers. */
const maxOffered = 40;
const descriptionWidth = 60;

/** Internal: shell completions start it. One `id<TAB>description` per line, the newest first. */
export async function printCompletionIds(kind: string): Promise<void> {
  if (!isIdKind(kind)) return;
  const rows = listers[kind](currentEnvironment(process.env));
  const lines = rows.map(([id, description]) => `${id}\t${truncate(oneLine(description), descriptionWidth) || id}\n`);
  process.stdout.write(lines.join(""));
}

const listers: Record<IdKind, (environment: Environment) => (readonly [id: string, description: string])[]> = {
  runs: (environment) =>
    recentRuns(runPathsOf(environment), maxOffered).map(({ plan }) => [plan.id, plan.task || "interactive"]),
  sessions: (environment) =>
    recentSessions(environment, maxOffered).map(({ sessionId, directory, title }) => [
      sessionId,
      title ?? directory ?? "",
    ]),
  services: (environment) => listServices(environment).map(({ slug, workspace }) => [slug, workspace]),
};

import { resolveLinks } from "../../../io/files/read-file.ts";
import { releaseLeases } from "../../../hub/subjects.ts";
import { treeDirectory } from "../../../store/trees/tree-paths.ts";
import type { Environment } from "../../environment.ts";
import type { Hub } from "../open-hub.ts";
import { runSubjectId } from "./gather-run.ts";
import { findHolders, listLocalSubjects } from "./local-subjects.ts";
import { replicate } from "./replicate.ts";
import { FileSources } from "./sources.ts";

const maxTries = 5;
const pauseMs = 200;

export interface RunToReplicate {
  readonly id: string;
  readonly sessionId: string;
  readonly directory: string;
}

/**
 * Brings the hub up to date with one run, its conversation and its files, and ends its leases, so that another machine can continue
 * at once. False when another machine has continued it.
 */
export async function replicateRun(environment: Environment, hub: Hub, run: RunToReplicate): Promise<boolean> {
  const { id, sessionId, directory } = run;
  const keys = new Set([
    `files ${treeDirectory(environment.paths, resolveLinks(directory))}`,
    `session ${sessionId}`,
    `run ${id}`,
  ]);
  const sources = new FileSources();
  const holder = findHolders(environment);
  for (const local of listLocalSubjects(environment, 0).filter(({ key }) => keys.has(key))) {
    const subject = local.open(hub.config.machine, sources, holder);
    if (!subject) continue;
    let result = await replicate(hub, subject);
    for (let tries = 1; result.state === "later" && tries < maxTries; tries++) {
      await Bun.sleep(pauseMs);
      result = await replicate(hub, subject);
    }
    if (result.state === "later") throw new Error(`${local.key} cannot be read now`);
    if (result.state === "diverged") return false;
  }
  await releaseLeases(hub.connection, [sessionId, runSubjectId(id)], hub.config.machine);
  return true;
}

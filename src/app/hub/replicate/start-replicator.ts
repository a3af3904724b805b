import { programName } from "../../../claude/hooks/hook-command.ts";
import { startDetached } from "../../../io/process/start-detached.ts";
import { makeDirectory } from "../../../io/durable/durable.ts";
import { fileFacts } from "../../../io/files/read-file.ts";
import { tryLock } from "../../../store/lock.ts";
import type { Environment } from "../../environment.ts";

/** For containers and scripts: no background process; `hub sync` replicates. */
const noReplicatorVariable = "AI_RUNTIME_HUB_NO_REPLICATOR";

/** Starts the replicator when this machine has a hub and none is running. Knows nothing of the database. */
export function startReplicator({ paths, variables }: Environment): void {
  if (!fileFacts(paths.hubConfig) || variables[noReplicatorVariable]) return;
  makeDirectory(paths.locks);
  const lock = tryLock(paths.replicatorLock);
  if (!lock) return;
  lock.release();
  // The executable may have been started under any of its names; Bun itself runs only tests.
  if (programName(process.execPath) === "bun") return;
  startDetached([process.execPath, "hub", "replicate"], variables, paths.root, "ai-runtime");
}

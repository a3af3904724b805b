import { readOrigin } from "../../store/trees/project-origin.ts";
import { readRecord, writeRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { withTrees } from "./mark-files.ts";
import type { Workspace } from "./workspace.ts";

/** Records once where a project comes from. In the background: git walks the whole history. */
export async function recordOrigin(environment: Environment, workspace: Workspace): Promise<void> {
  const { git, root } = workspace;
  const known = readRecord(git.directory);
  if (known === undefined || known === "damaged" || known.origin !== undefined) return;
  const origin = await readOrigin(git, root);
  // Without a first commit it is not known yet.
  if (origin.roots.length === 0) return;
  await withTrees(environment, workspace, async () => {
    // Read again under the lock: a mark may have been added.
    const record = readRecord(git.directory);
    if (record !== undefined && record !== "damaged") writeRecord(git.directory, { ...record, origin });
  });
}

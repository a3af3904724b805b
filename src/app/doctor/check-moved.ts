import { unfinishedRehomes } from "../rehome/rehome.ts";
import { findMoved, rehomeCommand } from "../session/find-moved.ts";
import type { Environment } from "../environment.ts";
import { type CheckResult, ok, warning } from "./check-result.ts";

const name = "project";

/** Whether the sessions of this directory are recorded under an earlier path. */
export async function checkMoved(environment: Environment): Promise<CheckResult[]> {
  const unfinished = unfinishedRehomes(environment).map(({ move }) =>
    warning(name, `bringing the records of ${move.from} to ${move.to} was interrupted`, rehomeCommand(move)),
  );
  const moved = await findMoved(environment, environment.cwd);
  const found = moved
    ? [
        warning(
          name,
          `this project was at ${moved.from} before, and its sessions are recorded there`,
          rehomeCommand(moved),
        ),
      ]
    : [];
  const results = [...unfinished, ...found];
  return results.length > 0 ? results : [ok(name, "no sessions of this directory are recorded under another path")];
}

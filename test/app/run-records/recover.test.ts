import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { findRecoverable } from "../../../src/app/run-records/recover.ts";
import { runPathsOf } from "../../../src/app/run-records/register-run.ts";
import { requestStop } from "../../../src/store/runs/run-registry.ts";
import { addRun, sandboxWithClaude } from "../../support/runs/scripted-claude.ts";

const now = 1_800_000_000_000;
const day = 86_400_000;
const idOf = (name: string): string => `20270115-080000-${name}`;

test("finds the runs that gave up lately, beside those that died, oldest first", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const paths = runPathsOf(environment);
  const failed = { phase: "failed", since: now - day } as const;
  addRun(sandbox, idOf("aaad"), { phase: "working" });
  addRun(sandbox, idOf("aaab"), { ...failed, cause: "crash" });
  addRun(sandbox, idOf("aaac"), { ...failed, cause: "server" });
  addRun(sandbox, idOf("aaae"), { ...failed, cause: "limit" });
  for (const cause of ["authentication", "permission", "billing", "budget", "turns", "refused", "error", "empty"]) {
    addRun(sandbox, idOf(cause.slice(0, 4)), { ...failed, cause });
  }
  addRun(sandbox, idOf("aaaf"), { ...failed, cause: "server", since: now - 7 * day });
  addRun(sandbox, idOf("aaag"), { ...failed, cause: "server" }, { kind: "service" });
  addRun(sandbox, idOf("aaah"), { ...failed, cause: "crash" });
  requestStop(paths, idOf("aaah"), now);
  addRun(sandbox, idOf("aaaj"), { phase: "done", since: now });

  const { runs } = findRecoverable({ ...environment, now: () => now }, paths);

  expect(runs.map(({ plan }) => plan.id)).toEqual(["aaab", "aaac", "aaad", "aaae"].map(idOf));
});

test("names the runs whose record cannot be read, because one of them may be what the user looks for", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const paths = runPathsOf(environment);
  addRun(sandbox, idOf("aaaa"), { phase: "working" });
  writeFileSync(paths.activeRun(idOf("aaaa")), "{");

  expect(findRecoverable(environment, paths)).toMatchObject({ runs: [], unreadable: [idOf("aaaa")] });

  const recover = await sandbox.run(["ai-runtime", "recover"]);
  expect(recover).toMatchObject({ exitCode: 4 });
  expect(recover.stderr).toContain(`the record of run ${idOf("aaaa")} cannot be read`);
});

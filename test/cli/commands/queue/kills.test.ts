// Many queued runs while the processes that start them are killed at random: each starts once, in order.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { finishingClaude } from "../../../support/notify/finishing-claude.ts";
import { killProcesses } from "../../../support/queue/kill-processes.ts";
import { runRecords } from "../../../support/runs/runs.ts";
import { run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import { until } from "../../../support/until.ts";

/** `QUEUE=full`: as many as a long night has. */
const count = process.env["QUEUE"] === "full" ? 200 : 12;

test("nothing is lost, nothing starts twice, and the order is kept", async () => {
  await using sandbox = await sandboxWithClaude(finishingClaude);
  await run(sandbox, ["queue", "pause"]);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await run(sandbox, ["run", `Task ${n}`, "--at", "now"])).stdout.trim());
    if (n % 3 === 0) killProcesses(sandbox, "dispatch");
  }
  await run(sandbox, ["queue", "resume"]);
  let kills = 0;
  const isOver = async (): Promise<boolean> => {
    kills += killProcesses(sandbox, "dispatch");
    // A command that shows the queue starts the killed process again.
    const { stdout } = await run(sandbox, ["queue", "list", "--json"]);
    // The moment of the next kill is the input of this test, not a wait for something: every moment must do.
    await Bun.sleep(Math.random() * 400);
    return (JSON.parse(stdout) as { runs: unknown[] }).runs.length === 0;
  };
  await until(isOver, "an empty queue", 1_700_000);
  await until(
    () => runRecords(sandbox).every(({ status }) => status.phase === "done"),
    () => JSON.stringify(runRecords(sandbox).map(({ plan, status }) => [plan.id, status.phase])),
  );
  const starts = readFileSync(join(sandbox.home, "starts"), "utf8").trim().split("\n");
  expect(starts).toEqual(ids);
  expect(runRecords(sandbox).map(({ status }) => status.attempts)).toEqual(ids.map(() => 1));
  expect(kills).toBeGreaterThan(count / 6);
}, 1_800_000);

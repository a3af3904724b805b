// Runs in a world that does not mean well: many at once, records taken away, words that would paint, signals at odd moments.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointOf, journalOf, onlyRun, runRecords, untilRun } from "../support/runs.ts";
import { addRun, run, scratch } from "../support/scripted-claude.ts";

const died = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `20261117-0900${String(n).padStart(2, "0")}-aaaa`);

test("many that died are all taken up, however long the last has to wait for its turn", async () => {
  await using sandbox = await scratch("exit 9");
  const ids = died(8);
  for (const id of ids) addRun(sandbox, id, { phase: "working", attempts: 1 });

  const recovered = await run(sandbox, ["recover", "--all"]);

  expect(recovered).toMatchObject({ exitCode: 0, stdout: `${ids.join("\n")}\n` });
  // Each holds its run from the first moment on: nobody else can take it, and a stop reaches it.
  const waiting = runRecords(sandbox).filter(({ status }) => status.phase === "working");
  expect(waiting.every(({ status }) => status.supervisor !== null)).toBeTrue();
  const last = ids.at(-1) ?? "";
  expect(await run(sandbox, ["stop", last])).toMatchObject({ exitCode: 0 });
  await untilRun(sandbox, ({ plan, status }) => plan.id === ids[6] && status.phase === "failed");
  expect(runRecords(sandbox).map(({ status }) => status.phase)).toEqual([
    ...ids.slice(1).map(() => "failed"),
    "stopped",
  ]);
});

for (const [what, phase, exitCode] of [
  ["is done", "done", 4],
  ["was stopped", "stopped", 4],
] as const) {
  test(`a run that ${what} is refused in the background as in front`, async () => {
    await using sandbox = await scratch("exit 9");
    addRun(sandbox, "20261117-090000-aaaa", { phase });
    const refused = await run(sandbox, ["resume", "aaaa", "--detach"]);
    expect(refused).toMatchObject({ exitCode, stdout: "" });
    expect(refused.stderr).toContain("there is nothing to resume");
  });
}

test("one whose project is gone is told of, left as it is, and keeps no other from going on", async () => {
  await using sandbox = await scratch("exit 9");
  const [gone = "", other = ""] = died(2);
  for (const id of [gone, other]) addRun(sandbox, id, { phase: "working", attempts: 1 });
  const path = join(sandbox.home, ".local/state/ai-runtime/runs/active", `${gone}.json`);
  const project = join(sandbox.home, "gone");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(sandbox.projectDir, project));

  const recovered = await run(sandbox, ["recover", "--all"]);

  expect(recovered).toMatchObject({ exitCode: 3, stdout: `${other}\n` });
  expect(recovered.stderr).toContain(`run ${gone} cannot go on: the directory of the run is gone: ${project}`);
  await untilRun(sandbox, ({ plan, status }) => plan.id === other && status.phase === "failed");
  expect(runRecords(sandbox)[0]?.status.phase).toBe("working");
  expect(existsSync(project)).toBeFalse();
  expect(await run(sandbox, ["resume", gone])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("the directory of the run is gone"),
  });
});

test("records that Claude cleans away in mid-run are written anew, with all the steps", async () => {
  const says = (text: string): string =>
    `echo '${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } })}'`;
  const untilNoted = "until grep -q '\"one\"' .ai-*/sessions/*/checkpoint.json; do :; done 2>/dev/null";
  await using sandbox = await scratch(
    [says("<!-- CHECKPOINT: one -->"), untilNoted, "rm -rf .ai-*", says("<!-- CHECKPOINT: two -->"), "exit 9"].join(
      "\n",
    ),
  );

  const ended = await run(sandbox, ["run", "Do it"]);

  expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
  expect(ended.stderr).not.toContain("!");
  const steps = journalOf(onlyRun(sandbox)).filter(({ kind }) => kind === "step");
  expect([...new Set(steps.map(({ text }) => text))]).toEqual(["one", "two"]);
  expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["one", "two"], phase: "failed" });
});

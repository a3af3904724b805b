// Runs in a world that does not mean well: many at once, records taken away, words that would paint, signals at odd moments.
// oxlint-disable no-control-regex
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessMark } from "../../src/core/run-record.ts";
import { isSameProcess } from "../../src/io/process.ts";
import { checkpointOf, journalOf, onlyRun, runRecords, untilRun } from "../support/runs.ts";
import { addRun, run, scratch } from "../support/scripted-claude.ts";

const tells = (...content: object[]): string =>
  `printf '%s\\n' '${JSON.stringify({ type: "assistant", message: { content } })}'`;
const says = (text: string): string => tells({ type: "text", text });
/** A claude that works until it is let go. */
const patient = "until [ -e go ]; do sleep 0.05; done; exit 9";

const lives = (mark: ProcessMark | null): boolean => mark !== null && isSameProcess(mark);
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
  const phases = runRecords(sandbox).map(({ status }) => String(status.phase));
  expect(phases).toEqual([...ids.slice(1).map(() => "failed"), "stopped"]);
});

for (const phase of ["done", "stopped"] as const) {
  test(`a run that is ${phase} is refused in the background as in front`, async () => {
    await using sandbox = await scratch("exit 9");
    addRun(sandbox, "20261117-090000-aaaa", { phase });
    const refused = await run(sandbox, ["resume", "aaaa", "--detach"]);
    expect(refused).toMatchObject({ exitCode: 4, stdout: "" });
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

for (const [what, cleaning] of [
  ["cleans away", "rm -rf .ai-*"],
  ["empties", "for file in .ai-*/sessions/*/journal.jsonl; do : > $file; done"],
] as const) {
  test(`records that Claude ${what} in mid-run are written anew, with all the steps`, async () => {
    const untilNoted = "until grep -q '\"one\"' .ai-*/sessions/*/checkpoint.json; do :; done 2>/dev/null";
    await using sandbox = await scratch(
      [says("<!-- CHECKPOINT: one -->"), untilNoted, cleaning, says("<!-- CHECKPOINT: two -->"), "exit 9"].join("\n"),
    );

    const ended = await run(sandbox, ["run", "Do it"]);

    expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
    expect(ended.stderr).not.toContain("!");
    const steps = journalOf(onlyRun(sandbox)).filter(({ kind }) => kind === "step");
    expect([...new Set(steps.map(({ text }) => text))]).toEqual(["one", "two"]);
    expect(checkpointOf(onlyRun(sandbox))).toMatchObject({ steps: ["one", "two"], phase: "failed" });
  });
}

test("nothing that Claude says can paint on the terminal or in the log", async () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u009b31mred\u001b[0m\r\u202egnp";
  const call = { type: "tool_use", id: "t", name: `Bash${evil}`, input: { command: `ls ${evil}` } };
  await using sandbox = await scratch(
    [
      says(`One\n\ttwo ${evil} <!-- CHECKPOINT: step ${evil} -->`),
      tells(call),
      `printf '\\033[31mno\\n' >&2; exit 9`,
    ].join("\n"),
  );

  const ended = await run(sandbox, ["run", "Do it"]);

  const log = readFileSync(join(onlyRun(sandbox).plan.directory, "output.log"), "utf8");
  const logged = await run(sandbox, ["logs"]);
  for (const text of [ended.stderr, log, logged.stdout, (await run(sandbox, ["status"])).stdout]) {
    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  }
  expect(ended.stderr).toContain("One\n\ttwo red");
  expect(logged.stdout).toContain("▸ Bash");
});

test("a log that others have written to cannot paint either, and a long one comes whole", async () => {
  await using sandbox = await scratch("exit 9");
  await run(sandbox, ["run", "Do it"]);
  const line = `${"x".repeat(99)}\n`;
  writeFileSync(join(onlyRun(sandbox).plan.directory, "output.log"), `\u001b[2J${line.repeat(30_000)}`);
  for (const verb of ["logs", "attach"]) {
    const shown = await run(sandbox, [verb]);
    expect(shown.stdout === line.repeat(30_000)).toBeTrue();
  }
});

test("a log that is gone with its project is not called empty", async () => {
  await using sandbox = await scratch("exit 9");
  await run(sandbox, ["run", "Do it"]);
  const { plan } = onlyRun(sandbox);
  rmSync(join(sandbox.projectDir, ".ai-runtime"), { recursive: true });
  expect(await run(sandbox, ["logs"])).toMatchObject({
    exitCode: 4,
    stdout: "",
    stderr: expect.stringContaining(`the log of run ${plan.id} is gone: there is no ${plan.directory}/output.log`),
  });
});

test("a project in which nothing can be written has no run, and says why", async () => {
  await using sandbox = await scratch("exit 9");
  writeFileSync(join(sandbox.projectDir, ".ai-runtime"), "in the way");
  const refused = await run(sandbox, ["run", "Do it"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/\.ai-runtime.*\nA run keeps its records in the directory it works in/);
  expect(runRecords(sandbox)).toEqual([]);
});

test("--quiet still says why there is no answer", async () => {
  await using sandbox = await scratch("echo no >&2; exit 9");
  expect(await run(sandbox, ["run", "Do it", "--quiet"])).toMatchObject({
    exitCode: 9,
    stdout: "",
    stderr: "✘ claude would not start: no\n",
  });
});

test("an empty id is no beginning of one", async () => {
  await using sandbox = await scratch("exit 9");
  addRun(sandbox, "20261117-090000-aaaa", { phase: "paused" });
  expect(await run(sandbox, ["stop", ""])).toMatchObject({ exitCode: 2 });
  expect(onlyRun(sandbox).status.phase).toBe("paused");
});

test("a journal that cannot be read hides no run", async () => {
  await using sandbox = await scratch("exit 9");
  addRun(sandbox, "20261117-090000-aaaa", { phase: "working" });
  mkdirSync(join(sandbox.projectDir, ".ai-runtime/sessions/20261117-090000-aaaa/journal.jsonl"), { recursive: true });
  expect(await run(sandbox, ["status"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("died") });
});

test("a wait longer than any calendar is none", async () => {
  const limit = { type: "rate_limit_event", rate_limit_info: { status: "rejected" } };
  const failure = { type: "assistant", error: "rate_limit", is_api_error_message: true };
  const words = { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit" }] };
  const result = { type: "result", subtype: "success", is_error: true, num_turns: 1 };
  const lines = [limit, { ...failure, message: words }, result].map(
    (line) => `printf '%s\\n' '${JSON.stringify(line)}'`,
  );
  await using sandbox = await scratch(lines.join("\n").replaceAll("You've", "You have").concat("\nexit 1"));
  const env = { AI_RUNTIME_WAIT_SECONDS: "99999999999999999" };

  const ended = await run(sandbox, ["run", "Do it", "--max-wait", "1h"], { env });

  expect(ended).toMatchObject({ exitCode: 75 });
  const shown = await run(sandbox, ["status", "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ runs: [{ id: onlyRun(sandbox).plan.id, state: "paused" }] });
});

test("nohup is believed: a hang-up that was to be ignored is", async () => {
  await using sandbox = await scratch(patient);
  const started = sandbox.spawn(["sh", "-c", `trap "" HUP; exec ai-runtime run "Do it"`]);
  await untilRun(sandbox, ({ status }) => status.phase === "working");
  started.signal("SIGHUP");
  writeFileSync(join(sandbox.projectDir, "go"), "");
  expect(await started.finished).toMatchObject({ exitCode: 9 });
});

test("a run that a shutdown ends is one that recover takes up", async () => {
  await using sandbox = await scratch(patient);
  await run(sandbox, ["run", "Do it", "--detach"]);
  const { plan, status } = await untilRun(sandbox, (record) => record.status.phase === "working");
  process.kill(status.supervisor?.pid ?? 0, "SIGTERM");
  await untilRun(sandbox, (record) => record.status.phase === "paused" && !lives(record.status.supervisor));

  writeFileSync(join(sandbox.projectDir, "go"), "");
  const recovered = await run(sandbox, ["recover"]);

  expect(recovered).toMatchObject({ exitCode: 9 });
  expect(recovered.stderr).toContain(`Recovering ${plan.id}`);
});

test("interrupted where it cannot be known whether there is a conversation, it ends its claude all the same", async () => {
  // A directory in the place of the transcript.
  const untilHeld = `until grep -q '"phase":"working"' "$HOME"/.local/state/ai-*/runs/active/*.json; do :; done 2>/dev/null`;
  const placed = `until [ "$1" = --session-id ]; do shift; done; mkdir -p "$CLAUDE_CONFIG_DIR/projects/p/$2.jsonl"`;
  await using sandbox = await scratch([untilHeld, placed, says("<!-- CHECKPOINT: placed -->"), patient].join("\n"));
  const started = sandbox.spawn(["ai-runtime", "run", "Do it"], { env: { CLAUDE_CONFIG_DIR: sandbox.configDir } });
  const { status } = await untilRun(sandbox, (record) => record.status.steps === 1);
  started.signal("SIGINT");

  expect(await started.finished).toMatchObject({ exitCode: 130 });

  expect(lives(status.child)).toBeFalse();
});

test("many that begin at once in a new project all begin", async () => {
  await using sandbox = await scratch("exit 9");
  const ended = await Promise.all(Array.from({ length: 12 }, () => run(sandbox, ["run", "Do it"])));
  expect(ended.map(({ exitCode, stderr }) => (exitCode === 9 ? "begun" : stderr))).toEqual(ended.map(() => "begun"));
});

// Uninstall while hosts, runs or services are alive.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess } from "../../../../src/io/process/process.ts";
import { onlyRun, untilRun } from "../../../support/runs/runs.ts";
import { run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { gone, running, ServiceWorld } from "../../../support/service/service-world.ts";
import { hostRecord, startHost } from "../../../support/terminal/host-world.ts";
import { until } from "../../../support/until.ts";
import { answerQuestion } from "../../../support/terminal/answer-question.ts";

/** A claude that works until it is ended. */
const patient = "[ \"$1\" = --version ] && echo '2.1.326 (Claude Code)' && exit; while :; do sleep 0.05; done";

describe("with a living run and a living host", () => {
  let sandbox: Sandbox;
  let runId: string;

  const settings = (): string => readFileSync(join(sandbox.configDir, "settings.json"), "utf8");
  const isHooked = (): boolean => existsSync(join(sandbox.configDir, "settings.json")) && settings().includes("hook");
  const isHostAlive = (): boolean => hostRecord(sandbox, "hosted").end === null;

  beforeEach(async () => {
    sandbox = await sandboxWithClaude(patient);
    expect(await run(sandbox, ["install"])).toMatchObject({ exitCode: 0 });
    await run(sandbox, ["run", "Do it", "--detach"]);
    runId = (await untilRun(sandbox, ({ status }) => status.phase === "working")).plan.id;
    await startHost(sandbox, ["/bin/sh", "-c", "while :; do sleep 0.05; done"], "hosted");
  });

  afterEach(async () => {
    await run(sandbox, ["uninstall", "--stop"]);
    await sandbox[Symbol.asyncDispose]();
  });

  test.each([["uninstall"], ["session-snapshot uninstall"]])(
    "%s without a terminal lists them, changes nothing and exits with 5",
    async (line) => {
      const before = settings();
      const refused = await run(sandbox, line.split(" "));
      expect(refused).toMatchObject({ exitCode: 5, stdout: "" });
      expect(refused.stderr).toContain(`run ${runId} in ${sandbox.projectDir}`);
      expect(refused.stderr).toContain(`host hosted in ${sandbox.projectDir}`);
      expect(refused.stderr).toContain("--stop");
      expect(refused.stderr).toContain("--keep-running");
      expect(settings()).toBe(before);
      expect([onlyRun(sandbox).status.phase, isHostAlive()]).toEqual(["working", true]);
    },
  );

  test("--keep-running uninstalls and names what still runs", async () => {
    const done = await run(sandbox, ["uninstall", "--keep-running"]);
    expect(done.exitCode).toBe(0);
    expect(done.stderr).toContain(`! run ${runId} in ${sandbox.projectDir} keeps running, without our hooks`);
    expect(isHooked()).toBe(false);
    expect([onlyRun(sandbox).status.phase, isHostAlive()]).toEqual(["working", true]);
  });

  test("--stop stops them for good, then uninstalls", async () => {
    const done = await run(sandbox, ["uninstall", "--stop", "--json"]);
    expect(done.exitCode).toBe(0);
    expect((JSON.parse(done.stdout) as { changes: string[] }).changes).toEqual(
      expect.arrayContaining([
        `stop run ${runId} in ${sandbox.projectDir}`,
        `stop host hosted in ${sandbox.projectDir}`,
      ]),
    );
    expect(isHooked()).toBe(false);
    expect([onlyRun(sandbox).status.phase, isHostAlive()]).toEqual(["stopped", false]);
  });

  test("--dry-run names what still runs and stops nothing", async () => {
    const planned = await run(sandbox, ["uninstall", "--dry-run"]);
    expect(planned.exitCode).toBe(0);
    expect(planned.stderr).toContain(`! host hosted in ${sandbox.projectDir} keeps running`);
    expect([onlyRun(sandbox).status.phase, isHostAlive(), isHooked()]).toEqual(["working", true, true]);
  });

  test("--stop together with --keep-running is refused", async () => {
    expect(await run(sandbox, ["uninstall", "--stop", "--keep-running"])).toMatchObject({ exitCode: 2 });
    expect(isHooked()).toBe(true);
  });

  test.skipIf(process.platform === "win32").each([
    ["no leaves everything as it is", "n", 130, "Nothing was changed.", "working"],
    ["yes stops them and uninstalls", "y", 0, "Uninstalled.", "stopped"],
  ])("on a terminal it asks: %s", async (_answer, key, exitCode, words, phase) => {
    const place = { env: sandbox.env, cwd: sandbox.projectDir };
    const asked = await answerQuestion(["uninstall"], { ...place, question: "and uninstall?", answer: key });
    const { screen } = asked;
    expect([asked.exitCode, screen]).toEqual([exitCode, expect.stringContaining(words)]);
    expect(screen).toContain(`run ${runId} in ${sandbox.projectDir}`);
    expect([onlyRun(sandbox).status.phase, isHooked()]).toEqual<unknown[]>([phase, phase === "working"]);
  });
});

test("a run whose supervisor was killed counts while its claude lives, and --stop ends it", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  expect(await run(sandbox, ["install"])).toMatchObject({ exitCode: 0 });
  await run(sandbox, ["run", "Do it", "--detach"]);
  const { plan, status } = await untilRun(sandbox, (record) => record.status.child !== null);
  process.kill(status.supervisor?.pid ?? 0, "SIGKILL");
  await until(() => !(status.supervisor && isSameProcess(status.supervisor)), "the end of the supervisor");
  expect(await run(sandbox, ["uninstall"])).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining(`run ${plan.id} in ${sandbox.projectDir}`),
  });
  expect(await run(sandbox, ["uninstall", "--stop"])).toMatchObject({ exitCode: 0 });
  expect(status.child && isSameProcess(status.child)).toBe(false);
});

test.skipIf(process.platform !== "linux")("an installed service also counts, and --stop removes it", async () => {
  using world = new ServiceWorld();
  world.writeControl("state", running);
  await world.run("install");
  expect(await world.run("service", "install")).toMatchObject({ exitCode: 0 });
  const refused = await world.run("uninstall");
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringMatching(/service work-\w+ in /) });
  world.writeControl("state", gone);
  const stopped = await world.run("uninstall", "--stop");
  expect(stopped).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/remove service work-\w+ in /) });
  expect(JSON.parse((await world.run("service", "status", "--json")).stdout)).toEqual({ services: [] });
});

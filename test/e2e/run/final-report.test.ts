// What a run reports when it ends.
import { expect, test } from "bun:test";
import { isSameProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { runAiRuntime, onlyRun, startAiRuntime, step } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

forEachClaude((version) => {
  test("a run names the tool that was denied, beside the answer", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(story().callsTool("Bash", { command: "touch x" }).says("I could not."));

    const run = await runAiRuntime(sandbox, api, ["run", "Touch x", "--quiet"]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "I could not.\n" });
    expect(run.stderr).toBe("! not permitted in this run: Bash; permit it with --allowedTools or --permission-mode\n");
  });

  test("a run handles repeated signals once and leaves no process behind", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs().says("All done."));
    const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
    await api.request(2);
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT", "SIGHUP"] as const) run.signal(signal);

    expect(await run.finished).toMatchObject({ exitCode: 130, stdout: "" });

    const { status } = onlyRun(sandbox);
    expect(status.phase).toBe("paused");
    expect(isSameProcess(status.child as ProcessIdentity)).toBeFalse();
    expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  });
});

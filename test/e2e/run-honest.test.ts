// What a run claims at its end, with the real client.
import { expect, test } from "bun:test";
import { isSameProcess, type ProcessIdentity } from "../../src/io/process.ts";
import { skipPermissions } from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { airuntime, onlyRun, runSandbox, startAiRuntime, step } from "../support/runs.ts";
import { story } from "../support/scenario.ts";

forEachClaude((version) => {
  test("a tool that was not permitted is told of beside the answer", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(story().callsTool("Bash", { command: "touch x" }).says("I could not."));

    const run = await airuntime(sandbox, api, ["run", "Touch x", "--quiet"]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "I could not.\n" });
    expect(run.stderr).toBe("! not permitted in this run: Bash; permit it with --allowedTools or --permission-mode\n");
  });

  test("Ctrl-C again and again ends it once, with nothing left over", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs().says("All done."));
    const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
    await api.request(2);
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT", "SIGHUP"] as const) run.signal(signal);

    expect(await run.finished).toMatchObject({ exitCode: 130, stdout: "" });

    const { status } = onlyRun(sandbox);
    expect(status.phase).toBe("paused");
    expect(isSameProcess(status.child as ProcessIdentity)).toBeFalse();
    expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  });
});

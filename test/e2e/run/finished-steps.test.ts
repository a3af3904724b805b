// `ai-runtime run` after a kill that cost the transcript the result of a finished tool call.
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { onlyRun, runAiRuntime, startAiRuntime, step, stepsDone } from "../../support/runs/runs.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { endLeftovers } from "../../support/sandbox/leftover-processes.ts";
import { untilFile } from "../../support/until-file.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

forEachClaude((version) => {
  test("Claude learns once which call completed and which is not known to have finished", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .callsTool("Bash", { command: "touch held; python3 -c 'import time; time.sleep(600)'" })
        .says("All done."),
    );
    startAiRuntime(sandbox, api, ["run", "Write steps", skipPermissions]);
    await untilFile(join(sandbox.projectDir, "held"), () => true);
    await untilTranscript(sandbox, `"content":"one"`);
    await endLeftovers(sandbox.root);
    const [transcript = ""] = await sandbox.transcripts();
    const lines = readFileSync(transcript, "utf8").split("\n");
    // Everything from the first result on is lost, also in the snapshot.
    const kept = lines.slice(
      0,
      lines.findIndex((line) => line.includes(`"tool_result"`)),
    );
    writeFileSync(transcript, `${kept.join("\n")}\n`);
    rmSync(join(sandbox.home, ".config/session-snapshot/snapshots"), { recursive: true, force: true });

    const recovered = await runAiRuntime(sandbox, api, ["recover"]);

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const text = api.mainRequests.at(-1)?.conversationText ?? "";
    const completed = /^- completed at .*: Bash `echo one \| tee -a steps\.txt` \(end of its output: `one`\)$/gm;
    expect(text.match(completed)).toHaveLength(1);
    expect(text).toContain("- started, and not known to have finished: Bash `touch held;");
    expect(stepsDone(sandbox)).toEqual(["one"]);
    expect(onlyRun(sandbox).status.phase).toBe("done");
  });
});

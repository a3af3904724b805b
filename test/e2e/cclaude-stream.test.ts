// Prompts that come as JSON on stdin: one on the command line would be passed over, so Claude is told there as well.
import { expect, test } from "bun:test";
import { cclaudeSandbox, restoredMark, runCclaude, skipPermissions, tellingClaude } from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { hangs } from "../support/replies.ts";
import { story } from "../support/scenario.ts";
import { untilTranscript } from "../support/until-transcript.ts";

const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
const message = { type: "user", message: { role: "user", content: [{ type: "text", text: "Do a lot" }] } };

forEachClaude((version) => {
  test("a killed run with prompts on stdin goes on", async () => {
    await using sandbox = await cclaudeSandbox(version);
    const claude = tellingClaude(sandbox);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", { command: "echo first-result" })
        .answers(async () => {
          await untilTranscript(sandbox, `"content":"first-result"`);
          claude.kill();
          return hangs();
        })
        .says("Went on."),
    );

    const run = await runCclaude(sandbox, api, ["-p", ...streams, skipPermissions], {
      stdin: `${JSON.stringify(message)}\n`,
      env: { CCLAUDE_CLAUDE_BIN: claude.path },
    });

    expect(run.exitCode).toBe(0);
    expect(run.stdout.trimEnd().split("\n").at(-1)).toContain('"result":"Went on."');
    const resumed = api.mainRequests.at(-1);
    expect(resumed?.conversationText).toContain("first-result");
    expect(resumed?.conversationText).toContain(restoredMark);
  });
});

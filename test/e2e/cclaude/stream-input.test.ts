// With --input-format stream-json claude ignores a prompt on the command line, so cclaude sends the resume message on stdin.
import { expect, test } from "bun:test";
import {
  restoredHeader,
  runCclaude,
  skipPermissions,
  killableClaude,
  storyThatKills,
} from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";

const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
const message = { type: "user", message: { role: "user", content: [{ type: "text", text: "Do a lot" }] } };

forEachClaude((version) => {
  test("cclaude resumes a killed claude that reads its prompts from stdin", async () => {
    await using sandbox = await installedSandbox(version);
    const claude = killableClaude(sandbox);
    await using api = await fakeAnthropic(storyThatKills(sandbox, claude, "Continued."));

    const run = await runCclaude(sandbox, api, ["-p", ...streams, skipPermissions], {
      stdin: `${JSON.stringify(message)}\n`,
      env: { CCLAUDE_CLAUDE_BIN: claude.path },
    });

    expect(run.exitCode).toBe(0);
    expect(run.stdout.trimEnd().split("\n").at(-1)).toContain('"result":"Continued."');
    const resumed = api.mainRequests.at(-1);
    expect(resumed?.conversationText).toContain("first-result");
    expect(resumed?.conversationText).toContain(restoredHeader);
  });
});

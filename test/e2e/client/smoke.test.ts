// The real client does a two-step task with the fake API. Every other end-to-end test depends on this setup.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { forEachClaude, type ClaudeVersion } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { blocksOf, chainOf, conversation } from "../../support/transcripts/transcript-records.ts";

const command = "echo one > a.txt";

/** This version requests a profile and two feature flags whatever the settings are; the sandbox refuses them. */
const unavoidableRequests: Partial<Record<ClaudeVersion, RegExp>> = {
  "2.1.36": /^(CONNECT|GET) (https:\/\/)?api\.anthropic\.com[:/]/,
};

forEachClaude((version) => {
  test("finishes a task with a tool call, writes its transcript, and connects to loopback only", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", { command, description: "Write the file" }).says("The file is written."),
    );
    await using sandbox = await createSandbox({ claude: version });

    const run = await sandbox.claude(api, ["-p", "Write a file", "--dangerously-skip-permissions"]);

    expect(run).toEqual({ exitCode: 0, signal: null, stdout: "The file is written.\n", stderr: "" });
    expect(await Bun.file(join(sandbox.projectDir, "a.txt")).text()).toBe("one\n");
    expect(api.mainRequests).toHaveLength(2);
    expect(api.unexpected).toBeEmpty();

    const transcript = await sandbox.transcript();
    const said = conversation(transcript);
    const [asked, called, returned, answered] = said.map((record) => blocksOf(record)[0]);
    expect(said.map((record) => record.type)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(asked).toMatchObject({ type: "text", text: "Write a file" });
    expect(called).toMatchObject({ type: "tool_use", name: "Bash", input: { command } });
    expect(returned).toMatchObject({ type: "tool_result", tool_use_id: called?.id });
    expect(answered).toMatchObject({ type: "text", text: "The file is written." });
    expect(new Set(said.map((record) => record.sessionId))).toEqual(new Set([api.mainRequests[0]?.sessionId]));

    const chain = chainOf(transcript);
    expect(chain[0]?.parentUuid).toBeNull();
    expect(conversation(chain)).toEqual([...said]);

    const outside = sandbox.outsideAttempts.filter((attempt) => unavoidableRequests[version]?.test(attempt) !== true);
    expect(outside).toBeEmpty();
  });
});

// The real client does a two-step task against the fake API: the ground that every other end-to-end test stands on.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { forEachClaude, type ClaudeVersion } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { createSandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";
import { blocksOf, chainOf, conversation } from "../support/transcript-records.ts";

const command = "echo one > a.txt";

/** Whatever the settings say, this version asks for a profile and two switches; the sandbox refuses them. */
const asksAnyway: Partial<Record<ClaudeVersion, RegExp>> = {
  "2.1.36": /^(CONNECT|GET) (https:\/\/)?api\.anthropic\.com[:/]/,
};

forEachClaude((version) => {
  test("a task with a tool call ends well, leaves its transcript, and speaks to loopback only", async () => {
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

    const outside = sandbox.outsideAttempts.filter((attempt) => asksAnyway[version]?.test(attempt) !== true);
    expect(outside).toBeEmpty();
  });
});

// What the clients do on their own when a conversation no longer fits the context window.
import { expect, test } from "bun:test";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { finalError } from "../../support/transcripts/transcript-records.ts";

const skipPermissions = "--dangerously-skip-permissions";
const print = (bytes: number) => ({ command: `printf '%0${bytes}d' 1` });

forEachClaude((version) => {
  const compacts = version !== "2.1.36";

  test("compacts a conversation that the API refused as too long, except 2.1.36, which stops", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", print(10)).callsTool("Bash", print(20)).fails.promptTooLong().says("It fits now."),
    );
    await using sandbox = await createSandbox({ claude: version });

    const run = await sandbox.claude(api, ["-p", "Do it", skipPermissions]);

    expect(run.exitCode).toBe(compacts ? 0 : 1);
    expect(run.stdout).toBe(compacts ? "It fits now.\n" : "Prompt is too long\n");
    const transcript = await sandbox.transcript();
    expect(transcript.some(({ subtype }) => subtype === "compact_boundary")).toBe(compacts);
    expect(transcript.some(({ isCompactSummary }) => isCompactSummary === true)).toBe(compacts);
    expect(api.requests.filter(({ kind }) => kind === "compaction")).toHaveLength(compacts ? 1 : 0);
    expect(api.mainRequests).toHaveLength(compacts ? 4 : 3);
  });

  test("stops when the API refuses the compaction as well", async () => {
    await using api = await fakeAnthropic(story().callsTool("Bash", print(8000), { times: 3 }).says("Grown."));
    await using sandbox = await createSandbox({ claude: version });
    expect(await sandbox.claude(api, ["-p", "Grow", skipPermissions])).toMatchObject({ exitCode: 0 });

    api.plays(story().refusesConversationsOver({ tokens: 1000 }).says("Never said."));
    const run = await sandbox.claude(api, ["-p", "Go on", "--continue", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^Prompt is too long/) });
    const reason = finalError(await sandbox.transcript());
    expect(reason?.error).toBe("invalid_request");
    if (compacts) expect(reason?.errorDetails).toMatch(/prompt is too long: \d+ tokens > 1000 maximum/);
    const refused = api.requests.filter(({ answer }) => answer?.kind === "failure");
    expect(refused.some(({ kind }) => kind === "compaction")).toBe(compacts);
    expect(api.unexpected).toBeEmpty();
  });
});

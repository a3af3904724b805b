// The client's terminal interface starts in a sandbox without setup questions and uses the fake API.
import { expect, test } from "bun:test";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { blocksOf, conversation } from "../../support/transcripts/transcript-records.ts";

forEachClaude((version) => {
  test("answers a prompt on the screen without asking setup questions", async () => {
    await using api = await fakeAnthropic(story().says("Hello from the model."));
    await using sandbox = await createSandbox({ claude: version });
    await sandbox.trustProject();

    const client = sandbox.startClaude(api, ["Say hello"], { terminal: { columns: 100, rows: 30 } });
    await client.untilOutput(/Hello from the model\./);
    client.signal("SIGTERM");

    expect(await client.finished).toMatchObject({ exitCode: 143, signal: null });
    const said = conversation(await sandbox.transcript()).flatMap(blocksOf);
    expect(said.map((block) => block.text)).toEqual(["Say hello", "Hello from the model."]);
  });
});

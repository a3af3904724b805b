// The client's terminal interface starts without questions in a sandbox and talks to the fake API.
import { expect, test } from "bun:test";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { createSandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";
import { blocksOf, conversation } from "../support/transcript-records.ts";

forEachClaude((version) => {
  test("a prompt is answered on the screen", async () => {
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

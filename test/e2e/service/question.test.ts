// The watchdog must not restart a claude that waits for the user's answer.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { ServiceWatch } from "../../../src/app/service/service-watch.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { untilFile } from "../../support/until-file.ts";

forEachClaude((version) => {
  test("the watch reports a claude that asks for permission as waiting", async () => {
    const command = "touch asked-for";
    await using api = await fakeAnthropic(story().callsTool("Bash", { command, description: "Touch" }));
    await using sandbox = await createSandbox({ claude: version });
    await sandbox.trustProject();
    const flags = ["Touch it", "--permission-mode", "default"];
    const client = sandbox.startClaude(api, flags, { terminal: { columns: 100, rows: 30 } });
    const watch = new ServiceWatch(currentEnvironment(sandbox.env), sandbox.projectDir, client.pid);
    await client.untilOutput(/Do you want to proceed\?.*1\. Yes/);
    watch.onOutput(new TextEncoder().encode(client.stdout));
    // Since 2.1.197 the client records that it waits.
    if (version !== "2.1.36") {
      await untilFile(join(sandbox.configDir, "sessions", `${client.pid}.json`), (text) => text.includes('"waiting"'));
    }
    expect(watch.readSigns()).toMatchObject({ goneForMs: null, isWorking: true, isWaiting: true });
  });
});

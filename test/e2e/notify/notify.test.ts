// What the user is told about the real client: in a run with a limit, and in a host without a terminal.
import { expect, test } from "bun:test";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { Receiver } from "../../support/notify/receiver.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { runAiRuntime, step } from "../../support/runs/runs.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { goOn, startInteractive, untilHost, waitForFile } from "../../support/terminal/host-world.ts";
import { until } from "../../support/until.ts";

const toWebhook = (receiver: Receiver): Record<string, string> => ({
  AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url,
  AI_RUNTIME_NOTIFY_INTERVAL_SECONDS: "0",
});

test("a run tells of its limit, that it continues, and that it is done", async () => {
  await using receiver = new Receiver("answers");
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 2 }).says("All done."),
  );
  await using sandbox = await installedSandbox(newestClaude);
  const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions], { env: toWebhook(receiver) });
  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  await until(
    () => receiver.events.length >= 3,
    () => JSON.stringify(receiver.received),
  );
  expect(receiver.events).toEqual(["limit", "resumed", "done"]);
  expect(api.unexpected).toBeEmpty();
});

test("a Claude in the background tells that it asks for a permission", async () => {
  await using receiver = new Receiver("answers");
  await using api = await fakeAnthropic(story().callsTool("Bash", step("one")));
  await using sandbox = await installedSandbox(newestClaude);
  await sandbox.trustProject();
  const env = { ...sandbox.claudeEnv(api), ...toWebhook(receiver) };
  const id = await startInteractive(sandbox, env, ["--permission-mode", "default"]);
  const [first] = await receiver.untilReceived(1);
  const expected = { event: "needs-you", need: "permission", source: "session", id };
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ events: [expected] });
});

test("a Claude in the background tells that its turn is done", async () => {
  await using receiver = new Receiver("answers");
  await using api = await fakeAnthropic(story().callsTool("Bash", waitForFile).says("All done."));
  await using sandbox = await installedSandbox(newestClaude);
  await sandbox.trustProject();
  const env = { ...sandbox.claudeEnv(api), ...toWebhook(receiver) };
  const id = await startInteractive(sandbox, env, ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]);
  await untilHost(sandbox, ({ status }) => status?.state.kind === "working" && status.title !== null);
  await goOn(sandbox);
  const [first] = await receiver.untilReceived(1);
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ events: [{ event: "done", source: "session", id }] });
});

test("a Claude in the background tells of a first turn that is over at once", async () => {
  await using receiver = new Receiver("answers");
  await using api = await fakeAnthropic(story().says("All done."));
  await using sandbox = await installedSandbox(newestClaude);
  await sandbox.trustProject();
  const env = { ...sandbox.claudeEnv(api), ...toWebhook(receiver) };
  const id = await startInteractive(sandbox, env, ["--permission-mode", "acceptEdits"]);
  const [first] = await receiver.untilReceived(1);
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ events: [{ event: "done", source: "session", id }] });
});

// Claude itself looks up what a restore took out of its conversation, with the command that the skill and the message name.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../support/executable.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(120_000);

describe.each(["2.1.326", "2.1.197", "2.1.36"] as const)("Claude Code %s", (version) => {
  test("Claude finds in its own conversation what a restore took away, and the user what Claude deleted", async () => {
    const sessionId = randomUUID();
    const flags = ["--dangerously-skip-permissions", "-p"];
    await using api = await fakeAnthropic(story().says("Noted."));
    await using sandbox = await createSandbox({ claude: version });
    await sandbox.installBinaries(executable);
    await sandbox.run(["ai-runtime", "install"]);
    await sandbox.claude(api, [...flags, "begin", "--session-id", sessionId]);
    api.plays(
      story().callsTool("Bash", { command: "echo the flamingo port is 5433" }).says("The flamingo port is known."),
    );
    await sandbox.claude(api, [...flags, "Which port has the flamingo?", "--resume", sessionId]);
    expect(await sandbox.run(["session-snapshot", "restore", sessionId, "--to", "t1"])).toMatchObject({ exitCode: 0 });

    const command = "ai-runtime session-snapshot search --session this flamingo port --json";
    api.plays(story().callsTool("Bash", { command }).says("It is 5433."));
    await sandbox.claude(api, [...flags, "look it up", "--resume", sessionId]);
    // The answer of the search is in the next request: the text that is no longer in the conversation, and where it is.
    const asked = await api.until(({ body }) => /place.{1,8}generation/.test(JSON.stringify(body.messages)));
    expect(JSON.stringify(asked.body.messages)).toMatch(/snippet[^}]*flamingo port/);

    const [transcript = ""] = await sandbox.transcripts();
    rmSync(transcript);
    const found = await sandbox.run(["session-snapshot", "search", "flamingo", "known", "--json"]);
    const [first] = (JSON.parse(found.stdout) as { results: object[] }).results;
    expect(first).toMatchObject({ session: sessionId, place: "generation", snippet: "The flamingo port is known." });
  });
});

test("install saves what the real client wrote before, and finds it", async () => {
  await using api = await fakeAnthropic(story().says("The pelican is ready."));
  await using sandbox = await createSandbox({ claude: "2.1.326" });
  await sandbox.installBinaries(executable);
  await sandbox.claude(api, ["-p", "Is the pelican ready?"]);
  const [transcript = ""] = await sandbox.transcripts();
  const installed = await sandbox.run(["ai-runtime", "install"]);
  expect(installed.stderr).toContain("Saving 1 conversation ");
  const record = join(sandbox.home, ".config/session-snapshot/backfill.json");
  await until(() => existsSync(record) && JSON.parse(readFileSync(record, "utf8")).finishedAt > 0, "the backfill");
  rmSync(transcript);
  const { stdout } = await sandbox.run(["session-snapshot", "search", "pelican", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ place: "deleted", kind: "prompt" }, { kind: "answer" }] });
});

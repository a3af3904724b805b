// The Claude Code plugin, installed from this repository.
import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CheckpointFiles } from "../../support/worlds/checkpoint-files.ts";
import { CheckpointWorld } from "../../support/worlds/checkpoint-world.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { executable } from "../../support/executable.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

const repository = join(import.meta.dir, "../../..");
const goal = "Teach the parser to read tabs";

async function firstConversation(api: FakeAnthropic, sandbox: Sandbox, prompt: string): Promise<string> {
  const before = api.mainRequests.length;
  const run = await sandbox.claude(api, ["-p", prompt, "--dangerously-skip-permissions"]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  return (await api.request(before + 1)).conversationText;
}

forEachClaude((version) => {
  test("the marketplace and the plugin pass validation", async () => {
    await using sandbox = await createSandbox({ claude: version });
    for (const path of [repository, join(repository, "plugin")]) {
      const { exitCode, stdout, stderr } = await sandbox.run(["claude", "plugin", "validate", path]);
      expect({ path, exitCode, passed: /Validation passed/.test(stdout), stderr }).toMatchObject({
        exitCode: 0,
        passed: true,
      });
    }
  });

  // 2.1.36 does not know StopFailure and therefore loads none of the plugin's hooks.
  test.skipIf(version === "2.1.36")(
    "the plugin saves checkpoints and gives them to new sessions, only once even after ai-runtime install",
    async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      await sandbox.installBinaries(executable);
      for (const words of [
        ["marketplace", "add", repository],
        ["install", "ai-runtime@ai-runtime"],
      ]) {
        expect(await sandbox.run(["claude", "plugin", ...words])).toMatchObject({ exitCode: 0 });
      }
      const files = new CheckpointFiles(sandbox.configDir);
      const write = { file_path: join(sandbox.projectDir, "parser.txt"), content: "tabs\n" };
      api.plays(story().callsTool("Write", write).says("One.").says("Two.").says("Three."));

      expect(await firstConversation(api, sandbox, goal)).toContain("ai-runtime:checkpoint");
      expect(files.of(sandbox.projectDir)).toMatchObject({ goal, where: { files: ["parser.txt"] } });
      const checkpointIntro = /the checkpoint that ai-runtime recorded of earlier work/g;
      expect((await firstConversation(api, sandbox, "What now?")).match(checkpointIntro)).toHaveLength(1);
      expect(await sandbox.run(["ai-runtime", "install"])).toMatchObject({ exitCode: 0 });
      expect((await firstConversation(api, sandbox, "And now?")).match(checkpointIntro)).toHaveLength(1);
      expect(api.unexpected).toBeEmpty();
    },
  );
});

describe("the plugin's hook skips what the hooks in the settings already do", () => {
  const cases: [installed: string[] | undefined, snapshot: boolean, checkpoint: boolean][] = [
    [undefined, true, true],
    [["session-snapshot", "install"], false, true],
    [["install"], false, false],
  ];
  test.each(cases)("after %p", async (installed, snapshot, checkpoint) => {
    using world = new CheckpointWorld();
    if (installed) await world.run(...installed);
    mkdirSync(world.projectDirectory(), { recursive: true });
    await Bun.write(join(world.projectDirectory(), "s.jsonl"), '{"type":"user","uuid":"1"}\n');
    const payload = world.payload("s", "Stop", { last_assistant_message: "Done." });
    expect(await world.runWith(payload, ["hook", "--plugin"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    const mirror = Bun.file(join(world.home, ".config/session-snapshot/snapshots/s.jsonl"));
    expect([await mirror.exists(), world.files.exists(world.directory)]).toEqual([snapshot, checkpoint]);
  });
});

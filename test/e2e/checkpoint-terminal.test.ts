// Checkpoints in the client's terminal interface: the one line, /clear, and the save near the usage limit.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointFiles } from "../support/checkpoint-files.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { executable } from "../support/executable.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import type { SandboxProcess } from "../support/sandbox-process.ts";
import { story } from "../support/scenario.ts";
import { untilFile } from "../support/until-file.ts";

const terminal = { columns: 160, rows: 50 };
const ownLine = { statusLine: { type: "command", command: 'echo "the user\'s own line"', padding: 0 } };

async function prepared(sandbox: Sandbox): Promise<CheckpointFiles> {
  await sandbox.installBinaries(executable);
  await sandbox.trustProject();
  mkdirSync(sandbox.configDir, { recursive: true });
  writeFileSync(join(sandbox.configDir, "settings.json"), JSON.stringify(ownLine));
  expect(await sandbox.run(["ai-runtime", "install"])).toMatchObject({ exitCode: 0 });
  return new CheckpointFiles(sandbox.configDir);
}

/** Typed as by a person: the line first, Enter when it is on the screen. */
async function type(client: SandboxProcess, text: string): Promise<void> {
  client.stdout = "";
  client.write(text);
  await client.untilOutput(new RegExp(RegExp.escape(text)));
  client.write("\r");
}

const savedCount = (text: string): number => (JSON.parse(text) as { saved: unknown[] }).saved.length;

forEachClaude((version) => {
  describe("in the terminal", () => {
    test("a new session shows exactly one line; near the limit one checkpoint is saved, beside the user's status line", async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      const files = await prepared(sandbox);
      const words = ["--goal", "Ship the cart.", "--done", "totals rounded", "--next", "run npm test"];
      await sandbox.run(["ai-runtime", "checkpoint", "save", ...words]);

      const limit = (utilization: number) => ({ limit: { utilization, resetsInSeconds: 3_000 } });
      api.plays(story().says("Nearly there.", limit(0.97)).says("Nearer still.", limit(0.98)));
      const client = sandbox.startClaude(api, [], { terminal });
      await client.untilOutput(/Last time we were doing "Ship the cart", next was run npm test — continue\?/);
      await client.untilOutput(/the user's own line/);
      expect(client.stdout.split("continue?")).toHaveLength(2);

      await type(client, "please continue");
      await client.untilOutput(/Nearly there/);
      expect((await api.request(1)).conversationText).toContain("goal: Ship the cart.");
      // The oldest client tells its status line nothing about limits: there the hooks alone keep checkpoints.
      if (version !== "2.1.36") {
        await untilFile(files.usagePath, (text) => savedCount(text) === 1);
        await client.untilOutput(/ctx \d+% · 5h 97% → \d\d:\d\d/);
        const near = files.of(sandbox.projectDir);
        expect(near).toMatchObject({ goal: "Ship the cart.", next: "run npm test", done: ["totals rounded"] });
        expect(near.seen.usage).toMatch(/^97% of the 5-hour usage limit used, until /);
        expect(files.latest().seen.usage).toBe(near.seen.usage);
        await type(client, "go on");
        await untilFile(files.usagePath, (text) => text.includes('"percent":98'));
        expect(savedCount(readFileSync(files.usagePath, "utf8"))).toBe(1);
        expect(files.of(sandbox.projectDir).seen.usage).toStartWith("97% ");
      }
      client.signal("SIGTERM");
      await client.finished;
    });

    test("after /clear the line is shown to the new conversation", async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      const files = await prepared(sandbox);
      const notes = join(sandbox.projectDir, "notes.txt");
      api.plays(story().callsTool("Write", { file_path: notes, content: "one\n" }).says("Written down."));
      const allowed = ["--permission-mode", "acceptEdits"];
      const client = sandbox.startClaude(api, ["Keep the minutes", ...allowed], { terminal });
      await client.untilOutput(/Written down\./);
      expect(client.stdout).not.toContain("continue?");
      await untilFile(files.latestPath, (text) => text.includes("notes.txt") && text.includes('"answered"'));

      await type(client, "/clear");
      await client.untilOutput(/Last time we were doing "Keep the minutes" — continue\?/);
      client.signal("SIGTERM");
      await client.finished;
    });
  });
});

// Checkpoints in the client's terminal interface: the line for the user, /clear, and the save near the usage limit.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointFiles } from "../../support/worlds/checkpoint-files.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { executable } from "../../support/executable.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import type { SandboxProcess } from "../../support/sandbox/sandbox-process.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { untilFile } from "../../support/until-file.ts";

const terminal = { columns: 160, rows: 50 };
const userStatusLine = { statusLine: { type: "command", command: 'echo "the user\'s own line"', padding: 0 } };

async function installHooks(sandbox: Sandbox): Promise<CheckpointFiles> {
  await sandbox.installBinaries(executable);
  await sandbox.trustProject();
  mkdirSync(sandbox.configDir, { recursive: true });
  writeFileSync(join(sandbox.configDir, "settings.json"), JSON.stringify(userStatusLine));
  expect(await sandbox.run(["ai-runtime", "install"])).toMatchObject({ exitCode: 0 });
  return new CheckpointFiles(sandbox.configDir);
}

/** Types the line and presses Enter once the line is on the screen, as a user would. */
async function type(client: SandboxProcess, text: string): Promise<void> {
  client.stdout = "";
  client.write(text);
  await client.untilOutput(new RegExp(RegExp.escape(text)));
  client.write("\r");
}

const countSaved = (text: string): number => (JSON.parse(text) as { saved: unknown[] }).saved.length;

forEachClaude((version) => {
  describe("checkpoints in the terminal", () => {
    test("a new session shows one line; near the usage limit one checkpoint is saved, and the user's status line stays", async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      const files = await installHooks(sandbox);
      const fields = ["--goal", "Ship the cart.", "--done", "totals rounded", "--next", "run npm test"];
      await sandbox.run(["ai-runtime", "checkpoint", "save", ...fields]);

      const limit = (utilization: number) => ({ limit: { utilization, resetsInSeconds: 3_000 } });
      api.plays(story().says("Nearly there.", limit(0.97)).says("Nearer still.", limit(0.98)));
      const client = sandbox.startClaude(api, [], { terminal });
      await client.untilOutput(/Last time we were doing "Ship the cart", next was run npm test — continue\?/);
      await client.untilOutput(/the user's own line/);
      expect(client.stdout.split("continue?")).toHaveLength(2);

      await type(client, "please continue");
      await client.untilOutput(/Nearly there/);
      expect((await api.request(1)).conversationText).toContain("goal: Ship the cart.");
      // 2.1.36 does not report limits to its status line, so only the hooks save checkpoints there.
      if (version !== "2.1.36") {
        await untilFile(files.usagePath, (text) => countSaved(text) === 1);
        await client.untilOutput(/ctx <1% · 5h 97% → \d\d:\d\d/);
        const checkpoint = files.of(sandbox.projectDir);
        expect(checkpoint).toMatchObject({ goal: "Ship the cart.", next: "run npm test", done: ["totals rounded"] });
        expect(checkpoint.seen.usage).toMatch(/^97% of the 5-hour usage limit used, until /);
        expect(files.latest().seen.usage).toBe(checkpoint.seen.usage);
        await type(client, "go on");
        await untilFile(files.usagePath, (text) => text.includes('"percent":98'));
        expect(countSaved(readFileSync(files.usagePath, "utf8"))).toBe(1);
        expect(files.of(sandbox.projectDir).seen.usage).toStartWith("97% ");
      }
      client.signal("SIGTERM");
      await client.finished;
    });

    test("the status line shows that the context is full, although Claude still reports the share of its last answer", async () => {
      await using api = await fakeAnthropic(story().says("Nearly there.", { usage: { input: 50_000 } }));
      await using sandbox = await createSandbox({ claude: version });
      await installHooks(sandbox);
      const client = sandbox.startClaude(api, [], { terminal });
      await client.untilOutput(/the user's own line/);
      await type(client, "Read it");
      await client.untilOutput(/ctx (5|25)%/);
      api.plays(story().refusesConversationsOver({ tokens: 1 }));
      await type(client, "Read on");
      // Without "ctx": the client redraws only the words that change.
      await client.untilOutput(/full · saved/);
      client.signal("SIGTERM");
      await client.finished;
    });

    test("a new session shows the line of another directory's checkpoint, and the model gets none of its content", async () => {
      await using api = await fakeAnthropic(story().says("Hello."));
      await using sandbox = await createSandbox({ claude: version });
      await installHooks(sandbox);
      const elsewhere = join(sandbox.root, "elsewhere");
      mkdirSync(elsewhere);
      const fields = ["--goal", "Ship the cart.", "--next", "run npm test"];
      await sandbox.run(["ai-runtime", "checkpoint", "save", ...fields], { cwd: elsewhere });

      const client = sandbox.startClaude(api, [], { terminal });
      await client.untilOutput(
        /Last time we were doing "Ship the cart" in \S+elsewhere, next was run npm test — continue\?/,
      );
      await client.untilOutput(/the user's own line/);
      await type(client, "good morning");
      const { body } = await api.request(1);
      const sent = JSON.stringify(body);
      expect(sent).toContain("`ai-runtime checkpoint show --global` prints it");
      for (const part of ["Ship the cart", "run npm test", elsewhere]) expect(sent).not.toContain(part);
      client.signal("SIGTERM");
      await client.finished;
    });

    test("the new conversation shows the line after /clear", async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      const files = await installHooks(sandbox);
      const notes = join(sandbox.projectDir, "notes.txt");
      api.plays(story().callsTool("Write", { file_path: notes, content: "one\n" }).says("Written down."));
      const acceptEdits = ["--permission-mode", "acceptEdits"];
      const client = sandbox.startClaude(api, ["Keep the minutes", ...acceptEdits], { terminal });
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

// Two claudes on one conversation write two branches, and the next resume sees one of them: verify names the other.
import { describe, expect, test } from "bun:test";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { openTerminal, run, enterPrompt } from "../../support/terminal/host-world.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

interface Report {
  readonly clean: boolean;
  readonly forked: boolean;
  readonly defects: readonly { readonly kind: string; readonly loses: string }[];
}

describe.skipIf(missing !== undefined)("verify names a branch that a second claude wrote", () => {
  forEachClaude((version) => {
    test("while the first one was idle", async () => {
      await using api = await fakeAnthropic(
        story().says("First answer.").says("Answer to the other process.").says("Second answer.").says("Third answer."),
      );
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
      await using terminal = await openTerminal(sandbox, sandbox.claudeEnv(api));
      run(terminal, `claude --session-id ${id} 'One'`);
      await terminal.until(/First answer\.[^]*\n[>❯]/);
      const other = await sandbox.claude(api, ["-p", "Another process", "--resume", id]);
      expect(other).toMatchObject({ exitCode: 0, stdout: "Answer to the other process.\n" });
      await enterPrompt(terminal, "Two");
      await terminal.until(/Second answer\.[^]*\n[>❯]/);
      await enterPrompt(terminal, "/exit");
      await terminal.until(/READY> *\n*$/);

      const verified = await sandbox.run(["session-snapshot", "verify", id, "--json"]);
      const { clean, forked, defects } = JSON.parse(verified.stdout) as Report;
      // 2.1.36 records nothing by which a second process and a /rewind differ.
      const expected = version === "2.1.36" ? ["left-branch", false, 0] : ["forked-branch", true, 3];
      const [branch] = defects;
      expect([branch?.kind, forked, verified.exitCode]).toEqual(expected);
      expect([clean, defects.length]).toEqual([true, 1]);
      expect(branch?.loses).toMatch(/^this branch \(2 messages, up to line \d+\) stays in the file/);
      // What verify says is what the next resume shows.
      await sandbox.claude(api, ["-p", "Three", "--resume", id]);
      const seen = api.mainRequests.at(-1)?.conversationText;
      expect(seen).toContain("Second answer.");
      expect(seen).not.toContain("Another process");
    });
  });
});

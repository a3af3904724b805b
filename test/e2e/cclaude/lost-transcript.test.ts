// A small session is killed after its first tool call, and its transcript is damaged: a resume by hand has everything back.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import { step } from "../../support/runs/runs.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { endLeftovers } from "../../support/sandbox/leftover-processes.ts";
import { untilFile } from "../../support/until-file.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

const damages: [what: string, damage: (path: string) => void][] = [
  ["deleted", (path) => rmSync(path)],
  ["emptied", (path) => writeFileSync(path, "")],
  ["filled with NULs", (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length))],
  ["torn in the middle", (path) => writeFileSync(path, readFileSync(path).subarray(0, -1_500))],
];

forEachClaude((version) => {
  // The kinds of damage concern our code; the clients differ only in how they resume.
  test.each(version === newestClaude ? damages : damages.slice(-1))(
    "a killed small session whose transcript was %s is resumed with its finished step",
    async (_, damage) => {
      await using sandbox = await installedSandbox(version);
      await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs().says("All done."));
      const env = sandbox.claudeEnv(api);
      sandbox.spawn(["cclaude", "-p", "Write a step", "--session-id", id, skipPermissions], { env });
      const root = join(sandbox.home, ".config/session-snapshot");
      await untilFile(join(root, `steps/${id}.jsonl`), (text) => text.includes('"completed"'));
      await untilFile(join(root, `snapshots/${id}.state.json`), () => true);
      await api.request(2);
      await endLeftovers(sandbox.root);
      const [transcript = ""] = await sandbox.transcripts();
      damage(transcript);

      const resumed = await runCclaude(sandbox, api, ["-p", "Go on", "--resume", id, skipPermissions]);

      expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      const text = api.mainRequests.at(-1)?.conversationText ?? "";
      expect(text).toContain("Write a step");
      const isShown = /^one$/m.test(text);
      const isTold = /^- completed at .*: Bash `echo one \| tee -a steps\.txt` \(end of its output: `one`\)$/m.test(
        text,
      );
      expect(isShown || isTold).toBeTrue();
      expect(existsSync(transcript)).toBeTrue();
    },
  );
});

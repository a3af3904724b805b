// File marks with the real client: whatever Claude's tools do to the files, every state before it can be brought back.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { callsTool, says } from "../../support/anthropic/replies.ts";
import { type Story, story } from "../../support/anthropic/scenario.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { type FileState, stateOf } from "../../support/worlds/file-state.ts";

/** Uncommitted work of every kind, which git itself could not bring back. */
function fillProject(root: string): void {
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "README.md"), "# Changed, not committed\n");
  writeFileSync(join(root, "src/main.ts"), "const one = 1;\n");
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\necho hi\n");
  chmodSync(join(root, "run.sh"), 0o755);
  symlinkSync("src/main.ts", join(root, "link"));
}

const commands = [
  ["sed", "sed -i s/one/two/ src/main.ts"],
  ["mv", "mv run.sh moved.sh"],
  ["git checkout", "git checkout ."],
  [">", "echo over > created.txt"],
  ["rm", "rm -rf src link"],
] as const;

/** Notes the state of the files before each step. */
function destruction(root: string, states: FileState[]): Story {
  const noted = (reply: ReturnType<typeof says>) => () => {
    states.push(stateOf(root));
    return reply;
  };
  const written = callsTool("Write", { file_path: join(root, "created.txt"), content: "created\n" });
  const told = story()
    .answers(noted(written))
    .answers(noted(callsTool("Bash", { command: "ls -la && cat README.md" })));
  for (const [, command] of commands) told.answers(noted(callsTool("Bash", { command })));
  return told.answers(noted(says("Done.")));
}

forEachClaude((version) => {
  test("every state of a session that edits and destroys is restored byte for byte, and undone", async () => {
    await using sandbox = await installedSandbox(version);
    const root = sandbox.projectDir;
    const states: FileState[] = [];
    await using api = await fakeAnthropic(destruction(root, states));
    expect(await sandbox.run(["ai-runtime", "install"])).toMatchObject({ exitCode: 0 });
    fillProject(root);
    const words = ["--dangerously-skip-permissions", "-p", "clean up", "--session-id", randomUUID()];
    // Also on a busy machine, Claude waits for every mark; its own limit for a hook is ten seconds.
    const env = { SESSION_SNAPSHOT_FILES_WAIT_SECONDS: "9" };
    expect(await sandbox.claude(api, words, { env })).toMatchObject({ exitCode: 0, stdout: "Done.\n" });

    const listed = await sandbox.run(["session-snapshot", "list", "--json"]);
    const { fileMarks } = JSON.parse(listed.stdout) as { fileMarks: { name: string; before: string | null }[] };
    // One mark before each destructive command, none before a harmless one.
    expect(fileMarks.flatMap(({ before }) => before ?? [])).toEqual(commands.map(([name]) => name));
    const last = stateOf(root);
    const restored: FileState[] = [];
    for (const { name } of fileMarks) {
      const result = await sandbox.run(["session-snapshot", "restore", "--files", "--to", name]);
      expect([result.exitCode, result.stderr]).toEqual([0, result.stderr]);
      restored.push(stateOf(root));
    }
    for (const state of states) expect(restored).toContainEqual(state);
    expect(restored.at(-1)).toEqual(last);
    await sandbox.run(["session-snapshot", "undo"]);
    expect(stateOf(root)).toEqual(restored.at(-2) ?? {});
  });
});

// The user's --settings may hold secrets: adding our hooks to them must not put them where other users can read them.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { says } from "../../support/anthropic/replies.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { SnapshotFiles } from "../../support/worlds/snapshot-files.ts";

const secret = "s3cret-0f-the-user";
const settings = { env: { OF_THE_USER: secret } };
const starts = [
  ["cclaude -p", "a file"],
  ["cclaude -p", "JSON"],
  ["ai-runtime run", "a file"],
] as const;

/** Files with the secret, and their modes. */
function filesWithSecret(directory: string): Map<string, number> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => join(directory, name));
  const found = names.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return new Map(
    found
      .filter((path) => readFileSync(path, "latin1").includes(secret))
      .map((path) => [path, statSync(path).mode & 0o777]),
  );
}

const directoryOf = (sandbox: Sandbox): string => join(new SnapshotFiles(sandbox).root, "run-settings");

/** A script that records its arguments and then executes the real claude, which may hide them. */
function recordedClaude(sandbox: Sandbox): { readonly path: string; readonly words: string } {
  const path = join(sandbox.root, "recorded-claude");
  const record = join(sandbox.root, "words");
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${record}\nexec claude "$@"\n`, { mode: 0o755 });
  return {
    path,
    get words() {
      return readFileSync(record, "utf8");
    },
  };
}

forEachClaude((version) => {
  test.each(starts)(
    "%s with settings in %s: they reach Claude, but no command line and no file that others can read",
    async (program, how) => {
      await using sandbox = await installedSandbox(version);
      const claude = recordedClaude(sandbox);
      const seen = new Map<string, number>();
      await using api = await fakeAnthropic(
        story()
          .callsTool("Bash", { command: 'echo "it has ${#OF_THE_USER} letters"' })
          .answers((request) => {
            expect(request.lastText).toContain(`it has ${secret.length} letters`);
            for (const place of ["tmp", "home/.config"]) {
              for (const [path, mode] of filesWithSecret(join(sandbox.root, place))) seen.set(path, mode);
            }
            return says("Done.");
          }),
      );
      const file = join(sandbox.root, "own-settings.json");
      writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
      const given = how === "a file" ? file : JSON.stringify(settings);
      const [command = "", ...words] = program.split(" ");
      const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude.path };

      const ended = await sandbox.run([command, ...words, "Say it", "--settings", given, skipPermissions], { env });

      expect(ended).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
      expect(claude.words).toContain("--settings");
      expect(claude.words).not.toContain(secret);
      const ours = [...seen].filter(([path]) => path.startsWith(directoryOf(sandbox)));
      expect(ours.map(([, mode]) => mode)).toEqual([0o600]);
      expect(statSync(directoryOf(sandbox)).mode & 0o777).toBe(0o700);
      // Claude's own files, such as the transcript's snapshot, are private too.
      expect([...seen].filter(([, mode]) => (mode & 0o077) !== 0)).toEqual([]);
      expect(readdirSync(directoryOf(sandbox))).toEqual([]);
      // The hooks of this start ran.
      expect(readdirSync(join(new SnapshotFiles(sandbox).root, "snapshots"))).not.toBeEmpty();
    },
  );
});

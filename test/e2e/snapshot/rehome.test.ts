// A project that moved: after `rehome` the real client holds the whole history at the new path, and `undo` leaves no trace.
// The full matrix: `E2E=full bun test test/e2e/snapshot/rehome.test.ts`.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { hangs } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { isLeftOut } from "../../support/runs/native-retry.ts";
import { onlyRun, runAiRuntime, startAiRuntime, step } from "../../support/runs/runs.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";
import { allBytes } from "../../support/worlds/all-bytes.ts";

type Variables = Record<string, string>;

/** Where the project is after the move, and what its programs then need to know. */
interface Moved {
  readonly old: string;
  readonly new: string;
  /** The directory of the session, when it is not the project itself. */
  readonly directory?: string;
  readonly env?: Variables;
}

interface Case {
  readonly title: string;
  /** Outside of the full matrix it runs with this client only; without one, only in the full matrix. */
  readonly version?: ClaudeVersion;
  /** Where the session begins. */
  readonly at?: (sandbox: Sandbox) => Promise<string>;
  readonly move: (sandbox: Sandbox, api: FakeAnthropic) => Promise<Moved>;
}

const at = (sandbox: Sandbox, name: string): string => join(sandbox.root, name);

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

const cases: readonly Case[] = [
  {
    title: "moved to another parent",
    async move(sandbox) {
      move(sandbox.projectDir, at(sandbox, "elsewhere/deeper/project"));
      return { old: sandbox.projectDir, new: at(sandbox, "elsewhere/deeper/project") };
    },
  },
  {
    title: "inside a home that was renamed",
    version: "2.1.197",
    async at(sandbox) {
      mkdirSync(join(sandbox.home, "work"));
      return join(sandbox.home, "work");
    },
    async move(sandbox) {
      const home = at(sandbox, "renamed home");
      move(sandbox.home, home);
      const names = [
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "GIT_CONFIG_GLOBAL",
      ];
      const env = Object.fromEntries(
        names.map((name) => [name, (sandbox.env[name] ?? "").replace(sandbox.home, home)]),
      );
      return { old: sandbox.home, new: home, directory: join(home, "work"), env };
    },
  },
  {
    title: "renamed, with a link at the old path",
    version: "2.1.36",
    async move(sandbox) {
      move(sandbox.projectDir, at(sandbox, "new name"));
      symlinkSync(at(sandbox, "new name"), sandbox.projectDir);
      return { old: sandbox.projectDir, new: at(sandbox, "new name") };
    },
  },
  {
    title: "whose new directory has sessions already",
    async move(sandbox, api) {
      move(sandbox.projectDir, at(sandbox, "new-name"));
      api.plays(story().says("Another one."));
      await sandbox.claude(api, ["-p", "ANOTHER"], { cwd: at(sandbox, "new-name") });
      return { old: sandbox.projectDir, new: at(sandbox, "new-name") };
    },
  },
  {
    title: "with the session in a worktree inside",
    version: "2.1.326",
    async at(sandbox) {
      await sandbox.run(["git", "worktree", "add", "-q", ".worktrees/one"]);
      return join(sandbox.projectDir, ".worktrees/one");
    },
    async move(sandbox) {
      const to = at(sandbox, "new-name");
      move(sandbox.projectDir, to);
      await sandbox.run(["git", "worktree", "repair", ".worktrees/one"], { cwd: to });
      return { old: sandbox.projectDir, new: to, directory: join(to, ".worktrees/one") };
    },
  },
];

/** All that rehome may change; its own record, locks, logs and caches stay out. */
const recordsOf = (home: string): Record<string, string> =>
  allBytes(
    [".claude/projects", ".claude/checkpoints", ".config/session-snapshot", ".local/state/ai-runtime"].map((name) =>
      join(home, name),
    ),
    (path) => /^(rehomed|locks|logs)\/|^(path-cache|verified|maintenance)\.json$/.test(path),
  );

async function expectHistory(
  sandbox: Sandbox,
  api: FakeAnthropic,
  args: readonly string[],
  options: { cwd: string; env: Variables },
): Promise<void> {
  api.plays(story().says("I remember."));
  const before = api.mainRequests.length;
  const ended = await sandbox.claude(api, ["-p", "Go on", ...args], options);
  expect(ended).toMatchObject({ exitCode: 0, stdout: "I remember.\n" });
  expect(api.mainRequests[before]?.conversationText).toMatch(/FIRST[^]*SECOND[^]*Go on/);
}

forEachClaude((version) => {
  for (const each of cases) {
    test.skipIf(isLeftOut(version, each.version))(`a project ${each.title} keeps its conversation`, async () => {
      await using api = await fakeAnthropic(story().callsTool("Bash", { command: "echo x" }).says("One.").says("Two."));
      await using sandbox = await installedSandbox(version);
      expect((await sandbox.run(["session-snapshot", "install"])).exitCode).toBe(0);
      const begun = (await each.at?.(sandbox)) ?? sandbox.projectDir;
      const id = randomUUID();
      await sandbox.claude(api, ["-p", "FIRST", "--session-id", id, skipPermissions], { cwd: begun });
      await sandbox.claude(api, ["-p", "SECOND", "--resume", id], { cwd: begun });

      const moved = await each.move(sandbox, api);
      const { env = {}, directory = moved.new } = moved;
      const home = env["HOME"] ?? sandbox.home;
      const before = recordsOf(home);
      const words = ["session-snapshot", "rehome", moved.old, moved.new] as const;
      const dry = await sandbox.run([...words, "--dry-run", "--json"], { cwd: directory, env });
      expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, sessions: [{ session: id }] });
      expect(recordsOf(home)).toEqual(before);

      const rehomed = await sandbox.run([...words], { cwd: directory, env });
      expect(rehomed).toMatchObject({ exitCode: 0 });
      expect(recordsOf(home)).not.toEqual(before);
      expect(await sandbox.run(["session-snapshot", "undo"], { cwd: moved.new, env })).toMatchObject({ exitCode: 0 });
      expect(recordsOf(home)).toEqual(before);

      expect(await sandbox.run([...words], { cwd: directory, env })).toMatchObject({ exitCode: 0 });
      await expectHistory(sandbox, api, ["--resume", id], { cwd: directory, env });
      expect(JSON.stringify(api.mainRequests.at(-1)?.body)).toContain(
        "The project of this conversation was moved from",
      );
      await expectHistory(sandbox, api, ["--continue"], { cwd: directory, env });
    });
  }

  test.skipIf(isLeftOut(version, "2.1.326"))(
    "a run of a renamed project resumes at the new path with its whole history",
    async () => {
      await using sandbox = await installedSandbox(version);
      await using api = await fakeAnthropic(
        story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 3_600, times: 2 }),
      );
      const paused = await runAiRuntime(sandbox, api, ["run", "THE TASK", "--no-wait", skipPermissions]);
      expect(paused.exitCode).toBe(75);
      const to = at(sandbox, "renamed");
      move(sandbox.projectDir, to);

      const lost = await runAiRuntime(sandbox, api, ["resume"], { cwd: to });
      expect(lost.exitCode).toBe(1);
      expect(lost.stderr).toContain(`session-snapshot rehome ${sandbox.projectDir} ${to}`);
      expect((await sandbox.run(["session-snapshot", "rehome", sandbox.projectDir, to], { cwd: to })).exitCode).toBe(0);
      api.plays(story().says("All done."));
      const resumed = await runAiRuntime(sandbox, api, ["resume"], { cwd: to });

      expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(api.mainRequests.at(-1)?.conversationText).toMatch(/THE TASK[^]*one/);
      expect(onlyRun(sandbox)).toMatchObject({ plan: { cwd: to }, status: { phase: "done" } });
    },
  );

  test.skipIf(isLeftOut(version, undefined))("recover finishes a killed run of a renamed project", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .answers(async () => {
          await untilTranscript(sandbox, `"content":"one"`);
          return hangs();
        }),
    );
    const run = startAiRuntime(sandbox, api, ["run", "THE TASK", skipPermissions]);
    await api.request(2);
    await untilTranscript(sandbox, `"content":"one"`);
    const { status } = onlyRun(sandbox);
    run.signal("SIGKILL");
    process.kill(status.child?.pid ?? 0, "SIGKILL");
    await run.exited;
    const to = at(sandbox, "renamed");
    move(sandbox.projectDir, to);

    expect((await sandbox.run(["session-snapshot", "rehome", sandbox.projectDir, to], { cwd: to })).exitCode).toBe(0);
    api.plays(story().says("All done."));
    const recovered = await runAiRuntime(sandbox, api, ["recover"], { cwd: to });

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests.at(-1)?.conversationText).toMatch(/THE TASK[^]*one/);
  });
});

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "../../src/store/lock.ts";
import { InstalledWorld } from "../support/installed-world.ts";

setDefaultTimeout(60_000);

interface Finding {
  name: string;
  state: "good" | "doubtful" | "broken";
  message: string;
  fix: string | null;
}

/** A home with a claude on PATH that says its version, and our programs. */
class DoctorWorld extends InstalledWorld {
  constructor() {
    super();
    this.placeClaude("2.1.325");
    this.env["PATH"] = `${this.bin}:${this.home}/claude-bin:/usr/bin:/bin`;
  }

  placeClaude(version: string): void {
    mkdirSync(join(this.home, "claude-bin"), { recursive: true });
    const path = join(this.home, "claude-bin/claude");
    writeFileSync(path, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
    chmodSync(path, 0o755);
  }

  async examine(): Promise<{ exitCode: number | null; ok: boolean; findings: Finding[] }> {
    const { exitCode, stdout } = await this.run("doctor", "--json");
    return { exitCode, ...JSON.parse(stdout) };
  }

  async findings(name: string): Promise<Finding[]> {
    return (await this.examine()).findings.filter((finding) => finding.name === name);
  }

  /** Types the command that a finding offers. */
  mend({ fix }: Finding): void {
    const child = Bun.spawnSync(["sh", "-c", fix ?? "false"], { env: this.env, cwd: this.directory, stdin: "ignore" });
    expect({ fix, exitCode: child.exitCode }).toEqual({ fix, exitCode: 0 });
  }
}

const only = (findings: Finding[]): Finding => {
  expect(findings).toHaveLength(1);
  return findings[0] as Finding;
};

describe("doctor", () => {
  test("on a fresh machine names what is broken; its own commands mend it", async () => {
    using world = new DoctorWorld();
    const before = await world.examine();
    expect(before).toMatchObject({ exitCode: 1, ok: false });
    const hooks = before.findings.find(({ state }) => state === "broken") as Finding;
    expect(hooks).toMatchObject({ name: "hooks", fix: "ai-runtime install" });
    world.mend(hooks);
    const after = await world.examine();
    expect(after).toMatchObject({ exitCode: 0, ok: true });
    expect(after.findings.filter(({ state }) => state !== "good")).toEqual([]);
    expect(after.findings.find(({ name }) => name === "hooks")?.message).toBe(
      `${world.program} hook was called and took a snapshot`,
    );
  });

  test("without a claude says where to get one", async () => {
    using world = new DoctorWorld();
    world.env["PATH"] = `${world.bin}:/usr/bin:/bin`;
    expect(only(await world.findings("claude"))).toMatchObject({
      state: "broken",
      fix: "npm install -g @anthropic-ai/claude-code",
    });
    world.placeClaude("2.0.1");
    world.env["PATH"] = `${world.bin}:${world.home}/claude-bin:/usr/bin:/bin`;
    expect(only(await world.findings("claude"))).toMatchObject({ state: "doubtful", fix: "claude update" });
  });

  test("calls the very hook that is installed: one that leads nowhere is broken, and an install mends it", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    writeFileSync(world.settings, world.text().replaceAll(world.program, "/nowhere/ai-runtime"));
    const [hook] = await world.findings("hooks");
    expect(hook).toMatchObject({ state: "broken", message: expect.stringContaining("took no snapshot") });
    world.mend(hook as Finding);
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test("takes the hooks of Claude Code's plugin for hooks, while it is switched on", async () => {
    using world = new DoctorWorld();
    for (const [enabled, state] of [
      [true, "good"],
      [false, "broken"],
    ] as const) {
      writeFileSync(world.settings, JSON.stringify({ enabledPlugins: { "ai-runtime@ai-runtime": enabled } }));
      expect(only(await world.findings("hooks")).state).toBe(state);
    }
  });

  test("sees hooks that are not those an install would make now", async () => {
    using world = new DoctorWorld();
    world.placeClaude("2.1.36");
    await world.run("install");
    world.placeClaude("2.1.325");
    const [, changed] = await world.findings("hooks");
    expect(changed).toMatchObject({ state: "doubtful", message: expect.stringContaining("add StopFailure hook") });
    world.mend(changed as Finding);
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test.each(["Stop", "PreCompact"])("sees that the hook for %s was taken out by hand", async (event) => {
    using world = new DoctorWorld();
    await world.run("install");
    const settings = JSON.parse(world.text());
    delete settings.hooks[event];
    writeFileSync(world.settings, JSON.stringify(settings));
    const [called, changed] = await world.findings("hooks");
    expect(called).toMatchObject({ state: "good", message: `${world.program} hook was called and took a snapshot` });
    expect(changed).toMatchObject({ state: "doubtful", message: expect.stringContaining(`add ${event} hook`) });
    world.mend(changed as Finding);
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test("advises no other hooks while it finds no claude whose version it could go by", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    world.env["PATH"] = `${world.bin}:/usr/bin:/bin`;
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test.each([
    ["a comment, at which Claude stops reading", (text: string) => text.replace("{", "{ // mine\n"), "strict JSON"],
    ["all hooks switched off", (text: string) => text.replace("{", '{ "disableAllHooks": true,'), "disableAllHooks"],
  ])("settings with %s", async (_name, change, says) => {
    using world = new DoctorWorld();
    await world.run("install");
    writeFileSync(world.settings, change(world.text()));
    const [obstacle] = await world.findings("hooks");
    expect(obstacle).toMatchObject({ state: "broken", message: expect.stringContaining(says) });
  });

  test("transcripts that Claude is about to delete: a longer time is offered, and never none at all", async () => {
    using world = new DoctorWorld();
    writeFileSync(world.settings, '{\n  "model": "opus"\n}\n');
    const transcript = join(world.home, ".claude/projects/-project/old.jsonl");
    writeFileSync(transcript, "{}\n");
    expect(only(await world.findings("transcripts")).state).toBe("good");
    const old = new Date(Date.now() - 25 * 86_400_000);
    utimesSync(transcript, old, old);
    const finding = only(await world.findings("transcripts"));
    expect(finding).toEqual({
      name: "transcripts",
      state: "doubtful",
      message: "Claude deletes them after 30 days: 1 go within a week, 1 of them without a snapshot",
      fix: "ai-runtime doctor --keep-transcripts 365",
    });
    world.mend(finding);
    expect(world.text()).toBe('{\n  "model": "opus",\n  "cleanupPeriodDays": 365\n}\n');
    expect(only(await world.findings("transcripts")).state).toBe("good");
    for (const days of ["0", "-1", "many"]) {
      expect((await world.run("doctor", `--keep-transcripts=${days}`)).exitCode).toBe(2);
    }
    expect(world.text()).toContain('"cleanupPeriodDays": 365');
    writeFileSync(world.settings, '{"cleanupPeriodDays":0}');
    const none = only(await world.findings("transcripts"));
    expect(none.state).toBe("broken");
    world.mend(none);
    expect(world.text()).toBe('{"cleanupPeriodDays":365}');
  });

  test.skipIf(process.platform === "win32")("directories that are open to others", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    chmodSync(join(world.home, ".config/session-snapshot"), 0o755);
    const finding = only(await world.findings("permissions"));
    expect(finding).toMatchObject({ state: "doubtful", message: expect.stringContaining("mode 755") });
    world.mend(finding);
    expect(only(await world.findings("permissions")).state).toBe("good");
  });

  test("a place for runs in which nothing can be written", async () => {
    using world = new DoctorWorld();
    const state = join(world.home, ".local/state");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "ai-runtime"), "in the way");
    const says = `${state}/ai-runtime is no directory`;
    expect(only(await world.findings("permissions"))).toMatchObject({ state: "broken", message: says });
    world.env["XDG_STATE_HOME"] = join(state, "ai-runtime/deeper");
    expect(only(await world.findings("permissions"))).toMatchObject({
      state: "broken",
      message: `${state}/ai-runtime/deeper/ai-runtime cannot be made: ${says}`,
    });
    world.mend(only(await world.findings("permissions")));
    expect(only(await world.findings("permissions")).state).toBe("good");
  });

  test("a program that comes first on PATH and hides ours", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    const other = join(world.home, "claude-bin/cclaude");
    writeFileSync(other, "#!/bin/sh\n", { mode: 0o755 });
    world.env["PATH"] = `${world.home}/claude-bin:${world.env["PATH"]}`;
    const finding = only(await world.findings("PATH"));
    expect(finding).toMatchObject({ state: "doubtful", fix: `rm ${other}` });
    world.mend(finding);
    expect(only(await world.findings("PATH")).state).toBe("good");
  });

  test("a program of another's under one of our names, beside us", async () => {
    using world = new DoctorWorld();
    const other = join(world.bin, "cclaude");
    writeFileSync(other, "#!/bin/sh\necho something else 1.0\n", { mode: 0o755 });
    await world.run("install");
    const finding = only(await world.findings("PATH"));
    expect(finding).toMatchObject({
      state: "doubtful",
      message: `${other} is not ours: it says "something else 1.0"`,
      fix: `rm ${other} && ai-runtime install --shims`,
    });
    world.mend(finding);
    expect(only(await world.findings("PATH")).state).toBe("good");
  });

  test("a lock that somebody does not let go", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    const path = join(world.home, ".config/session-snapshot/locks/stuck.lock");
    const lock = tryLock(path);
    if (lock === "busy") throw new Error("nobody else knows that lock");
    expect(only(await world.findings("locks"))).toMatchObject({ state: "doubtful", fix: `lsof ${path}` });
    lock.release();
    expect(only(await world.findings("locks")).state).toBe("good");
  });

  test.skipIf(process.platform === "win32")(
    "a socket that nobody answers, and not one that somebody does",
    async () => {
      using world = new DoctorWorld();
      const runtime = join(world.home, "run");
      world.env["XDG_RUNTIME_DIR"] = runtime;
      mkdirSync(join(runtime, "ai-runtime"), { recursive: true, mode: 0o700 });
      const listen = (name: string) =>
        Bun.listen({
          unix: join(runtime, "ai-runtime", name),
          socket: { data() {}, open: (socket) => void socket.end() },
        });
      const alive = listen("alive.sock");
      // Bound by a process that was killed, as a host would be.
      const path = join(runtime, "ai-runtime/dead.sock");
      const program = `Bun.listen({ unix: ${JSON.stringify(path)}, socket: { data() {} } }); process.kill(process.pid, "SIGKILL");`;
      Bun.spawnSync([process.execPath, "-e", program]);
      const finding = only(await world.findings("sockets"));
      expect(finding).toMatchObject({ state: "doubtful", fix: `rm ${path}` });
      world.mend(finding);
      expect(only(await world.findings("sockets")).state).toBe("good");
      alive.stop();
    },
  );

  test("a hook that failed, of which Claude heard nothing", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    expect(only(await world.findings("log")).state).toBe("good");
    const lock = join(world.home, ".config/session-snapshot/locks");
    rmSync(lock, { recursive: true, force: true });
    writeFileSync(lock, "");
    const transcript = join(world.home, ".claude/projects/-project/some.jsonl");
    writeFileSync(transcript, "{}\n");
    const payload = { session_id: "some", transcript_path: transcript, hook_event_name: "Stop", cwd: world.directory };
    expect(await world.runWith(JSON.stringify(payload), ["hook"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    rmSync(lock);
    const [finding] = await world.findings("log");
    expect(finding).toMatchObject({
      state: "doubtful",
      message: expect.stringContaining(`cannot make directory ${lock}`),
      fix: `less ${join(world.home, ".config/session-snapshot/logs/snapshot.log")}`,
    });
    const { stdout } = await world.run("doctor");
    expect(stdout).toMatch(/^! log {10}(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d cannot make directory/m);
  });

  test("a session that Claude does not save", async () => {
    using world = new DoctorWorld();
    const directory = join(world.home, ".config/session-snapshot/canary");
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "lost.json"), JSON.stringify({ size: 0, toolCalls: 3, since: 0 }));
    expect(only(await world.findings("canary"))).toMatchObject({
      state: "broken",
      message: expect.stringContaining("session lost: tools ran 3 times"),
    });
  });

  test("is read by people too", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    const { exitCode, stdout, stderr } = await world.run("doctor");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "\nAll is well.\n" });
    expect(stdout).toContain(`✔ claude       ${world.home}/claude-bin/claude 2.1.325\n`);
  });
});

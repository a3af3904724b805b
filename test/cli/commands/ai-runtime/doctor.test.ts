import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "../../../../src/store/lock.ts";
import { DoctorWorld, type Finding, only } from "../../../support/worlds/doctor-world.ts";

describe("doctor", () => {
  test("shows what is broken on a fresh machine, and its commands fix it", async () => {
    using world = new DoctorWorld();
    const before = await world.examine();
    expect(before).toMatchObject({ exitCode: 1, ok: false });
    const hooks = before.findings.find(({ state }) => state === "broken") as Finding;
    expect(hooks).toMatchObject({ name: "hooks", fix: "ai-runtime install" });
    world.applyFix(hooks);
    const after = await world.examine();
    expect(after).toMatchObject({ exitCode: 0, ok: true });
    expect(after.findings.filter(({ state }) => state !== "good")).toEqual([]);
    expect(after.findings.find(({ name }) => name === "hooks")?.message).toBe(
      `${world.program} hook was called and took a snapshot`,
    );
  });

  test("shows how to install claude when it is missing", async () => {
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

  test("reports a runtime directory in which hosts cannot put their sockets", async () => {
    using world = new DoctorWorld();
    const runtime = join(world.home, "run");
    world.env["XDG_RUNTIME_DIR"] = runtime;
    expect(only(await world.findings("sockets"))).toMatchObject({
      state: "doubtful",
      message: `hosts do not put their sockets here: ${runtime}/ai-runtime cannot be used: there is no directory ${runtime}`,
    });
    mkdirSync(runtime, 0o700);
    expect(only(await world.findings("sockets")).state).toBe("good");
    mkdirSync(join(runtime, "ai-runtime"));
    chmodSync(join(runtime, "ai-runtime"), 0o755);
    expect(only(await world.findings("sockets"))).toMatchObject({
      state: "doubtful",
      message: expect.stringContaining("can be opened by others"),
    });
  });

  test("offers a longer retention when Claude is about to delete transcripts, and never zero", async () => {
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
      message: "Claude deletes transcripts after 30 days: 1 expire within a week, 1 without a snapshot",
      fix: "ai-runtime doctor --keep-transcripts 365",
    });
    world.applyFix(finding);
    expect(world.text()).toBe('{\n  "model": "opus",\n  "cleanupPeriodDays": 365\n}\n');
    expect(only(await world.findings("transcripts")).state).toBe("good");
    for (const days of ["0", "-1", "many"]) {
      expect((await world.run("doctor", `--keep-transcripts=${days}`)).exitCode).toBe(2);
    }
    expect(world.text()).toContain('"cleanupPeriodDays": 365');
    writeFileSync(world.settings, '{"cleanupPeriodDays":0}');
    const none = only(await world.findings("transcripts"));
    expect(none.state).toBe("broken");
    world.applyFix(none);
    expect(world.text()).toBe('{"cleanupPeriodDays":365}');
  });

  test.skipIf(process.platform === "win32")("reports directories that other users can read", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    chmodSync(join(world.home, ".config/session-snapshot"), 0o755);
    const finding = only(await world.findings("permissions"));
    expect(finding).toMatchObject({ state: "doubtful", message: expect.stringContaining("mode 755") });
    world.applyFix(finding);
    expect(only(await world.findings("permissions")).state).toBe("good");
  });

  test("reports a run directory that cannot be written", async () => {
    using world = new DoctorWorld();
    const state = join(world.home, ".local/state");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "ai-runtime"), "in the way");
    const says = `${state}/ai-runtime is not a directory`;
    expect(only(await world.findings("permissions"))).toMatchObject({ state: "broken", message: says });
    world.env["XDG_STATE_HOME"] = join(state, "ai-runtime/deeper");
    expect(only(await world.findings("permissions"))).toMatchObject({
      state: "broken",
      message: `${state}/ai-runtime/deeper/ai-runtime cannot be created: ${says}`,
    });
    world.applyFix(only(await world.findings("permissions")));
    expect(only(await world.findings("permissions")).state).toBe("good");
  });

  test("reports a program that is earlier on PATH and hides ours", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    const other = join(world.home, "claude-bin/cclaude");
    writeFileSync(other, "#!/bin/sh\n", { mode: 0o755 });
    world.env["PATH"] = `${world.home}/claude-bin:${world.env["PATH"]}`;
    const finding = only(await world.findings("PATH"));
    expect(finding).toMatchObject({ state: "doubtful", fix: `rm ${other}` });
    world.applyFix(finding);
    expect(only(await world.findings("PATH")).state).toBe("good");
  });

  test("reports a foreign program with one of our names next to the executable", async () => {
    using world = new DoctorWorld();
    const other = join(world.bin, "cclaude");
    writeFileSync(other, "#!/bin/sh\necho something else 1.0\n", { mode: 0o755 });
    await world.run("install");
    const finding = only(await world.findings("PATH"));
    expect(finding).toMatchObject({
      state: "doubtful",
      message: `${other} is another program: it reports "something else 1.0"`,
      fix: `rm ${other} && ai-runtime install --shims`,
    });
    world.applyFix(finding);
    expect(only(await world.findings("PATH")).state).toBe("good");
  });

  test("reports a lock that is never released", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    const path = join(world.home, ".config/session-snapshot/locks/stuck.lock");
    const lock = tryLock(path);
    if (!lock) throw new Error("the lock is already held");
    expect(only(await world.findings("locks"))).toMatchObject({ state: "doubtful", fix: `lsof ${path}` });
    lock.release();
    expect(only(await world.findings("locks")).state).toBe("good");
  });

  test.skipIf(process.platform === "win32")("reports a dead socket, but not a living one", async () => {
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
    // A killed process, like a killed host, leaves its socket behind.
    const path = join(runtime, "ai-runtime/dead.sock");
    const program = `Bun.listen({ unix: ${JSON.stringify(path)}, socket: { data() {} } }); process.kill(process.pid, "SIGKILL");`;
    Bun.spawnSync([process.execPath, "-e", program]);
    const finding = only(await world.findings("sockets"));
    expect(finding).toMatchObject({ state: "doubtful", fix: `rm ${path}` });
    world.applyFix(finding);
    expect(only(await world.findings("sockets")).state).toBe("good");
    alive.stop();
  });

  test("reports a hook that failed without Claude noticing", async () => {
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

  test("reports a session that Claude does not save", async () => {
    using world = new DoctorWorld();
    const directory = join(world.home, ".config/session-snapshot/canary");
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "lost.json"), JSON.stringify({ size: 0, toolCalls: 3, since: 0 }));
    expect(only(await world.findings("canary"))).toMatchObject({
      state: "broken",
      message: expect.stringContaining("session lost: tools ran 3 times"),
    });
  });

  test("prints readable text", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    const { exitCode, stdout, stderr } = await world.run("doctor");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "\nEverything is fine.\n" });
    expect(stdout).toContain(`✔ claude       ${world.home}/claude-bin/claude 2.1.326\n`);
  });
});

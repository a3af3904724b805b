// `rehome` and the notices of a moved project, without Claude: transcripts and hooks are played.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SnapshotPaths } from "../../../../src/store/snapshots/snapshot-paths.ts";
import { executable } from "../../../support/executable.ts";
import { type CommandResult, runProgram } from "../../../support/run-program.ts";
import { allBytes } from "../../../support/worlds/all-bytes.ts";
import { holdByCclaude } from "../../../support/worlds/hold-session.ts";
import { HookWorld } from "../../../support/worlds/hook-world.ts";

setDefaultTimeout(60_000);

const ids = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"] as const;

class MovedWorld extends HookWorld {
  readonly old = join(this.home, "old");
  readonly new = join(this.home, "new");

  constructor() {
    super();
    this.env["SESSION_SNAPSHOT_FILES"] = "off";
    mkdirSync(this.old);
  }

  /** Claude's directory for a path. */
  at(path: string): string {
    return join(this.home, ".claude/projects", path.replace(/[^A-Za-z0-9]/g, "-"));
  }

  /** A session that Claude had at this path, with a snapshot of it. */
  async session(id: string, path: string, project = this.at(path)): Promise<string> {
    const file = join(project, `${id}.jsonl`);
    mkdirSync(join(project, id), { recursive: true });
    writeFileSync(join(project, id, "side.txt"), "aside");
    writeFileSync(file, `${JSON.stringify({ type: "user", uuid: id, cwd: path, message: { content: path } })}\n`);
    const payload = { session_id: id, transcript_path: file, cwd: path, hook_event_name: "Stop" };
    await this.hookWith(JSON.stringify(payload));
    return file;
  }

  command(words: readonly string[], cwd = this.home): Promise<CommandResult> {
    return runProgram([executable, ...words], { env: this.env, cwd, stdin: "" });
  }

  rehome(...more: string[]): Promise<CommandResult> {
    return this.command(["session-snapshot", "rehome", this.old, this.new, ...more]);
  }

  records(): Record<string, string> {
    const places = [".claude", ".config/session-snapshot"].map((name) => join(this.home, name));
    return allBytes(places, (path) => /^(rehomed|locks)\//.test(path));
  }
}

describe("rehome", () => {
  test("moves sessions, and leaves a link where their side files were", async () => {
    using world = new MovedWorld();
    await world.session(ids[0], world.old);
    await world.session(ids[1], join(world.old, "sub"));
    const before = world.records();
    renameSync(world.old, world.new);
    const { exitCode, stderr } = await world.rehome();
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("2 sessions, 2 snapshots"),
    });
    expect(existsSync(join(world.at(world.new), `${ids[0]}.jsonl`))).toBe(true);
    expect(existsSync(join(world.at(join(world.new, "sub")), `${ids[1]}.jsonl`))).toBe(true);
    expect(readFileSync(join(world.at(world.old), ids[0], "side.txt"), "utf8")).toBe("aside");
    expect((await world.command(["session-snapshot", "list"], world.new)).exitCode).toBe(0);

    mkdirSync(join(world.new, "sub"));
    expect((await world.command(["session-snapshot", "undo"], join(world.new, "sub"))).exitCode).toBe(4);
    expect((await world.command(["session-snapshot", "undo", "--json"], world.new)).stdout).toContain(`"rehome"`);
    expect(world.records()).toEqual(before);
    expect((await world.command(["session-snapshot", "undo"], world.new)).exitCode).toBe(4);
  });

  test("keeps what the new directory has, and names what stays", async () => {
    using world = new MovedWorld();
    await world.session(ids[0], world.old);
    renameSync(world.old, world.new);
    const taken = join(world.at(world.new), `${ids[0]}.jsonl`);
    mkdirSync(world.at(world.new), { recursive: true });
    writeFileSync(taken, "another conversation\n");
    mkdirSync(join(world.at(world.old), "memory"));
    writeFileSync(join(world.at(world.old), "memory/MEMORY.md"), "notes");
    const { exitCode, stdout } = await world.rehome("--json");
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [],
      left: [{ path: join(world.at(world.old), `${ids[0]}.jsonl`), why: `${taken} exists` }],
    });
    expect(readFileSync(taken, "utf8")).toBe("another conversation\n");
    expect(readFileSync(join(world.at(world.new), "memory/MEMORY.md"), "utf8")).toBe("notes");
  });

  test("leaves the sessions of another project with the same name in Claude's directory", async () => {
    using world = new MovedWorld();
    // Claude names both `…-old-x`.
    const [mine, other] = [join(world.old, "x"), join(world.home, "old-x")];
    await world.session(ids[0], mine);
    const foreign = await world.session(ids[1], other);
    renameSync(world.old, world.new);
    expect((await world.rehome()).exitCode).toBe(0);
    expect(existsSync(join(world.at(join(world.new, "x")), `${ids[0]}.jsonl`))).toBe(true);
    expect(existsSync(foreign)).toBe(true);
  });

  test("brings a session that Claude has deleted back at the new path", async () => {
    using world = new MovedWorld();
    rmSync(await world.session(ids[0], world.old));
    renameSync(world.old, world.new);
    expect((await world.rehome()).exitCode).toBe(0);
    expect((await world.command(["session-snapshot", "restore"], world.new)).exitCode).toBe(0);
    expect(existsSync(join(world.at(world.new), `${ids[0]}.jsonl`))).toBe(true);
  });

  test("checkpoints, runs, hosts and services follow; a service whose unit names its directory is left", async () => {
    using world = new MovedWorld();
    await world.session(ids[0], world.old);
    const state = join(world.home, ".local/state/ai-runtime");
    const write = (path: string, record: object): void => {
      mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
      writeFileSync(path, `${JSON.stringify(record, null, path.endsWith("checkpoint.json") ? 2 : 0)}\n`, {
        mode: 0o600,
      });
    };
    const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
    const checkpoint = { version: 1, goal: "g", where: { directory: world.old } };
    write(join(world.at(world.old), "memory/checkpoint.json"), checkpoint);
    write(join(world.home, ".claude/checkpoints/latest.json"), checkpoint);
    const service = {
      version: 1,
      system: "linux",
      workspace: world.old,
      claude: null,
      claudeArguments: [],
      watchdogSeconds: null,
      freshAfterSeconds: 1,
      startLimit: null,
      environment: {},
      files: [],
    };
    write(join(state, "services/old-1.json"), { ...service, slug: "old-1", resume: true });
    write(join(state, "services/old-2.json"), { ...service, slug: "old-2", resume: false });
    write(join(state, "hosts/hosted.json"), {
      version: 1,
      plan: {
        id: "hosted",
        command: ["cclaude"],
        name: "cclaude",
        directory: world.old,
        greeting: null,
        sessionId: ids[0],
        size: { columns: 80, rows: 24 },
        created: 1,
      },
      running: null,
      session: null,
      end: null,
    });
    const before = world.records();
    const beforeState = allBytes([state]);
    renameSync(world.old, world.new);

    const { exitCode, stdout } = await world.rehome("--json");

    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { sessions: 1, checkpoints: 1, services: 1 },
      left: [{ path: join(state, "services/old-2.json"), why: expect.stringContaining("service uninstall old-2") }],
    });
    expect(read(join(world.at(world.new), "memory/checkpoint.json"))).toMatchObject({
      where: { directory: world.new },
    });
    expect(read(join(world.home, ".claude/checkpoints/latest.json"))).toMatchObject({
      where: { directory: world.new },
    });
    expect(read(join(state, "services/old-1.json"))).toMatchObject({ workspace: world.new, slug: "old-1" });
    expect(read(join(state, "hosts/hosted.json"))).toMatchObject({ plan: { directory: world.new } });
    expect((await world.command(["session-snapshot", "undo"], world.new)).exitCode).toBe(0);
    expect(world.records()).toEqual(before);
    expect(allBytes([state], (path) => path.startsWith("locks/"))).toEqual(beforeState);
  });

  test("undo keeps what was added since, and refuses when the old place is taken", async () => {
    using world = new MovedWorld();
    const file = await world.session(ids[0], world.old);
    renameSync(world.old, world.new);
    expect((await world.rehome()).exitCode).toBe(0);
    await world.session(ids[0], world.new);
    mkdirSync(world.at(world.old), { recursive: true });
    writeFileSync(file, "in the way\n");
    const refused = await world.command(["session-snapshot", "undo"], world.new);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("exists again") });
    rmSync(file);
    expect((await world.command(["session-snapshot", "undo"], world.new)).exitCode).toBe(0);
    expect(readFileSync(file, "utf8")).toContain(world.new);
    const state = readFileSync(join(world.files.root, `snapshots/${ids[0]}.state.json`), "utf8");
    expect(JSON.parse(state)).toMatchObject({ cwd: world.old, transcriptPath: file });
  });

  test.each([
    ["a new directory that does not exist", () => {}, 4, "is not a directory"],
    ["an old directory that still exists", (world: MovedWorld) => mkdirSync(world.new), 1, "still exists"],
    ["the same directory", (world: MovedWorld) => symlinkSync(world.old, world.new), 2, "are the same directory"],
  ])("refuses %s and changes nothing", async (_, prepare, exitCode, message) => {
    using world = new MovedWorld();
    await world.session(ids[0], world.old);
    prepare(world);
    const before = world.records();
    expect(await world.rehome()).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
    expect(world.records()).toEqual(before);
  });

  test("refuses while a claude has a session open", async () => {
    using world = new MovedWorld();
    await world.session(ids[0], world.old);
    renameSync(world.old, world.new);
    await using holder = Bun.spawn(["sleep", "600"]);
    await holdByCclaude(new SnapshotPaths(world.files.root), ids[0], holder.pid);
    const before = world.records();
    expect(await world.rehome()).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(`session ${ids[0]} open`),
    });
    expect(world.records()).toEqual(before);
  });

  test("says so when nothing belongs to the old path", async () => {
    using world = new MovedWorld();
    renameSync(world.old, world.new);
    expect(await world.rehome()).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("nothing of") });
    expect((await world.rehome("--dry-run")).stdout).toContain("would move");
  });
});

describe("a moved project is noticed", () => {
  const command = (world: MovedWorld): string => `session-snapshot rehome ${world.old} ${world.new}`;
  const claude = (world: MovedWorld): void => {
    writeFileSync(join(world.home, "claude"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    world.env["CCLAUDE_CLAUDE_BIN"] = join(world.home, "claude");
  };

  test("by doctor and by cclaude -c, until it is rehomed", async () => {
    using world = new MovedWorld();
    claude(world);
    await world.session(ids[0], world.old);
    renameSync(world.old, world.new);
    const { stdout } = await world.command(["doctor", "--json"], world.new);
    const findings = (JSON.parse(stdout) as { findings: { name: string; fix: string | null }[] }).findings;
    expect(findings.find(({ name }) => name === "project")?.fix).toBe(command(world));
    for (const flag of ["-c", "--resume"]) {
      expect((await world.command(["cclaude", flag, "-p", "hi"], world.new)).stderr).toContain(command(world));
    }
    expect((await world.command(["cclaude", "-p", "hi"], world.new)).stderr).not.toContain("rehome");
    expect((await world.rehome()).exitCode).toBe(0);
    expect((await world.command(["cclaude", "-c", "-p", "hi"], world.new)).stderr).not.toContain("rehome");
  });

  test("by a link at its old path", async () => {
    using world = new MovedWorld();
    claude(world);
    await world.session(ids[0], world.old);
    renameSync(world.old, world.new);
    symlinkSync(world.new, world.old);
    expect((await world.command(["cclaude", "-c", "-p", "hi"], world.new)).stderr).toContain(command(world));
  });

  test("by the history of its repository, when it was copied", async () => {
    using world = new MovedWorld();
    claude(world);
    delete world.env["SESSION_SNAPSHOT_FILES"];
    world.env["SESSION_SNAPSHOT_FILES_WAIT_SECONDS"] = "60";
    const git = (...words: string[]): void => {
      const identity = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"];
      expect(Bun.spawnSync(["git", ...identity, ...words], { cwd: world.old, env: world.env }).exitCode).toBe(0);
    };
    writeFileSync(join(world.old, "file"), "content");
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "Start");
    await world.session(ids[0], world.old);
    cpSync(world.old, world.new, { recursive: true });
    rmSync(world.old, { recursive: true });
    expect((await world.command(["cclaude", "-c", "-p", "hi"], world.new)).stderr).toContain(command(world));
  });

  test("not when another directory only has a similar name", async () => {
    using world = new MovedWorld();
    claude(world);
    await world.session(ids[0], world.old);
    mkdirSync(world.new);
    rmSync(world.old, { recursive: true });
    expect((await world.command(["cclaude", "-c", "-p", "hi"], world.new)).stderr).not.toContain("rehome");
  });
});

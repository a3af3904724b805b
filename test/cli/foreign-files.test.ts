// One command run as root with the user's HOME leaves files of root there. Every later command of the user must still work, or
// say which path is denied and how to take it back.
import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { type CommandResult, runProgram } from "../support/run-program.ts";
import { HookWorld } from "../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const user = 4321;
const isPossible = process.getuid?.() === 0 && Bun.which("setpriv") !== null;

class SharedHome extends HookWorld {
  readonly #program = join(this.home, "ai-runtime");

  constructor() {
    super();
    copyFileSync(executable, this.#program);
    chmodSync(this.#program, 0o755);
    this.grow(id, 5_000);
    this.giveAway(this.home);
  }

  /** As the user who owns the home. */
  asUser(...words: string[]): Promise<CommandResult> {
    const identity = ["--reuid", String(user), "--regid", String(user), "--clear-groups"];
    return runProgram(["setpriv", ...identity, this.#program, ...words], { env: this.env, cwd: this.home });
  }

  giveAway(path: string, owner = user): void {
    expect(Bun.spawnSync(["chown", "-R", `${owner}:${owner}`, path]).exitCode).toBe(0);
  }
}

describe.skipIf(!isPossible)("after one use as root with the user's HOME", () => {
  test("status and doctor work, and name the path and the command that takes it back", async () => {
    using world = new SharedHome();
    await world.hook(id);
    mkdirSync(join(world.home, ".local/state/ai-runtime/runs"), { recursive: true, mode: 0o700 });
    const config = join(world.home, ".config");
    const state = join(world.home, ".local");
    const fix = (path: string) => `sudo chown -R "$(id -u):$(id -g)" ${path}`;

    const status = await world.asUser("session-snapshot", "status");
    expect([status.exitCode, status.stderr]).toEqual([0, ""]);
    expect(status.stdout).toContain(
      `${config} belongs to root, and you cannot use it; take it back with: ${fix(config)}`,
    );
    expect(status.stdout).not.toContain("No snapshots yet");

    const runs = await world.asUser("status");
    expect([runs.exitCode, runs.stderr]).toEqual([0, ""]);
    expect(runs.stdout).toContain(`${state} belongs to root, and you cannot use it; take it back with: ${fix(state)}`);
    expect(JSON.parse((await world.asUser("status", "--json")).stdout)).toMatchObject({
      runs: [],
      problems: [expect.any(String)],
    });

    const doctor = await world.asUser("doctor", "--json");
    expect([doctor.exitCode, doctor.stderr]).toEqual([1, ""]);
    const { findings } = JSON.parse(doctor.stdout) as { findings: { name: string; fix: string | null }[] };
    const fixes = findings.filter(({ name }) => name === "permissions").map((finding) => finding.fix);
    expect(fixes).toEqual([fix(config), fix(state)]);

    // Any other command stops with the same advice instead of a system error.
    const list = await world.asUser("session-snapshot", "list");
    expect(list).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`Take it back with: ${fix(config)}`) });

    for (const path of [config, state]) world.giveAway(path);
    expect((await world.asUser("session-snapshot", "status")).stdout).toContain(id);
  });

  test("settings of root are unknown, not without hooks, and the advice is to take them back", async () => {
    using world = new SharedHome();
    const settings = join(world.home, ".claude/settings.json");
    writeFileSync(settings, "{}", { mode: 0o600 });
    const fix = `sudo chown -R "$(id -u):$(id -g)" ${settings}`;

    const { stdout } = await world.asUser("session-snapshot", "status");
    expect(stdout).toContain(`unknown: ${settings} cannot be read; see below`);
    expect(stdout).toContain(`${settings} belongs to root, and you cannot use it; take it back with: ${fix}`);
    expect(stdout).not.toContain("install");

    const doctor = await world.asUser("doctor", "--json");
    const { findings } = JSON.parse(doctor.stdout) as { findings: { name: string; fix: string | null }[] };
    expect(findings.filter(({ name }) => name === "hooks").map((finding) => finding.fix)).toEqual([fix]);
  });

  test("an install by root leaves the settings to the user who owns them", async () => {
    using world = new SharedHome();
    const settings = join(world.home, ".claude/settings.json");
    writeFileSync(settings, '{ "model": "opus" }', { mode: 0o600 });
    chownSync(settings, user, user);
    expect((await world.run(["install"])).exitCode).toBe(0);
    const { uid, gid, mode } = statSync(settings);
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: user, gid: user, mode: 0o600 });
    expect(readFileSync(settings, "utf8")).toContain("SessionEnd");
  });

  test("a single file of root hides neither the other sessions nor itself", async () => {
    using world = new SharedHome();
    await world.hook(id);
    world.grow("other-session", 5_000);
    await world.hook("other-session");
    world.giveAway(world.home);
    const state = world.files.statePath(id);
    chownSync(state, 0, 0);
    chmodSync(state, 0o600);

    const status = await world.asUser("session-snapshot", "status");
    expect([status.exitCode, status.stderr]).toEqual([0, ""]);
    expect(status.stdout).toContain("other-session");
    expect(status.stdout).toContain(
      `${state} belongs to root, and you cannot use it; take it back with: sudo chown -R `,
    );

    const doctor = await world.asUser("doctor", "--json");
    const { findings } = JSON.parse(doctor.stdout) as { findings: { message: string; fix: string | null }[] };
    expect(findings).toContainEqual(
      expect.objectContaining({
        message: `${state} belongs to root, and you cannot use it`,
        fix: `sudo chown -R "$(id -u):$(id -g)" ${world.files.root}`,
      }),
    );
  });

  test("a file of the user's own without permission gets another advice", async () => {
    using world = new SharedHome();
    await world.hook(id);
    world.giveAway(world.home);
    const log = join(world.files.root, "logs/snapshot.log");
    mkdirSync(join(world.files.root, "logs"));
    writeFileSync(log, "");
    world.giveAway(world.files.root);
    chmodSync(log, 0o000);
    const status = await world.asUser("session-snapshot", "status");
    expect(status.stdout).toContain(
      `${log} is yours, but its mode denies you access; take it back with: chmod -R u+rwX ${log}`,
    );
  });
});

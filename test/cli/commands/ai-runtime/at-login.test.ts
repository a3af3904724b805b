// install --at-login with a script in place of systemctl, which records its calls; test/e2e uses a real systemd.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "../../../../src/store/lock.ts";
import { gone, ServiceWorld } from "../../../support/service/service-world.ts";

const unit = "ai-runtime-at-login.service";
const pathsOf = ({ home }: ServiceWorld) => ({
  record: join(home, ".local/state/ai-runtime/services/at-login.json"),
  script: join(home, ".ai-runtime/service/at-login-resume-wrapper.sh"),
  unit: join(home, ".config/systemd/user", unit),
  boot: join(home, ".local/state/ai-runtime/boot.json"),
});

const installed = [
  "daemon-reload",
  `enable ${unit}`,
  "reset-failed ai-runtime-at-login.servic[e]",
  `is-enabled ${unit}`,
];
const withUser = (calls: readonly string[]): string[] => calls.map((call) => `--user ${call}`);

interface Report {
  changes: string[];
  failures: string[];
  atLogin: { files: { path: string; content: string; mode: string }[]; commands: string[][]; notes: string[] };
}

describe.skipIf(process.platform !== "linux")("install --at-login", () => {
  test("a dry run prints the plan and changes nothing; install does exactly that; uninstall leaves nothing", async () => {
    using world = new ServiceWorld();
    const before = world.files();
    const dry = await world.run("install", "--at-login", "--dry-run", "--json");
    const { atLogin } = JSON.parse(dry.stdout) as Report;
    expect(atLogin.commands.map(([, ...words]) => words.join(" "))).toEqual(withUser(installed));
    const printed = await world.run("install", "--at-login", "--dry-run");
    for (const { path } of atLogin.files) expect(printed.stdout).toContain(path);
    expect(printed.stdout).toContain("recover --all --boot");
    expect(printed.stderr).toContain(`would run systemctl --user enable ${unit}`);
    const isLock = (path: string): boolean => path.endsWith(".lock");
    expect(Object.keys(world.files()).filter((path) => !isLock(path))).toEqual(Object.keys(before));
    expect(world.calls()).toEqual([]);

    expect((await world.run("install", "--at-login")).exitCode).toBe(0);
    expect(world.calls()).toEqual(withUser(installed));
    const after = world.files();
    for (const { path, content, mode } of atLogin.files)
      expect(after[path]).toBe(`${mode.replace(/^0+/, "")} ${content}`);
    const { record, script, unit: unitFile, boot } = pathsOf(world);
    expect(atLogin.files.map(({ path }) => path)).toEqual([record, script, unitFile]);
    // The user is here: the first recovery follows the next boot.
    expect(JSON.parse(readFileSync(boot, "utf8"))).toMatchObject({ state: "done", taken: [] });
    expect((await world.run("recover", "--all", "--boot")).stderr).toMatch(/this boot was recovered .*; nothing to do/);

    const again = await world.run("install", "--at-login");
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Everything is already installed") });
    expect(world.calls()).toEqual([`--user is-enabled ${unit}`]);

    world.writeControl("state", gone);
    const removed = await world.run("uninstall");
    expect([removed.exitCode, removed.stderr]).toEqual([0, expect.stringContaining(`remove ${unitFile}`)]);
    expect(world.calls()).toEqual(withUser([`disable --now ${unit}`, "daemon-reload", installed[2] ?? ""]));
    const left = Object.keys(world.files()).filter((path) => !Object.hasOwn(before, path));
    // An uninstall keeps a copy of Claude's settings.
    expect(left.filter((path) => /at-login|boot|services|\.ai-runtime/.test(path))).toEqual([]);
    expect(existsSync(join(world.home, ".ai-runtime"))).toBeFalse();
    expect(readdirSync(join(world.home, ".local/state/ai-runtime"), { recursive: true }).map(String)).toEqual([
      "locks",
    ]);
  });

  test("doctor says whether it is on, whole and enabled, and what it did in this boot", async () => {
    using world = new ServiceWorld();
    const check = async (): Promise<object | undefined> => {
      const { findings } = JSON.parse((await world.run("doctor", "--json")).stdout) as { findings: { name: string }[] };
      return findings.find(({ name }) => name === "at-login");
    };
    expect(await check()).toMatchObject({ state: "good", message: expect.stringMatching(/^off: /), fix: null });
    expect((await world.run("install", "--at-login")).exitCode).toBe(0);
    expect(await check()).toMatchObject({ state: "good", message: expect.stringMatching(/^on; .*: nothing to cont/) });

    const { script, unit: unitFile, boot } = pathsOf(world);
    const install = "ai-runtime install --at-login";
    const recover = "ai-runtime recover --all --boot";
    const done = JSON.parse(readFileSync(boot, "utf8")) as object;
    const taken = ["a", "b", "c"].map((id) => ({ id, supervisor: null }));
    const outcomes: [record: object, state: string, message: RegExp, fix: string | null][] = [
      [{ ...done, taken, left: ["d"], failed: [] }, "good", /3 continued, 0 not continued, 1 left to you$/, null],
      [{ ...done, taken, left: [], failed: ["b"] }, "doubtful", /2 continued, 1 not continued/, "ai-runtime recover"],
      [{ ...done, state: "begun", taken }, "doubtful", /^on, but it was interrupted \(.*\) before it was/, recover],
      [{ ...done, bootId: "earlier" }, "doubtful", /^on, but it has not run in this boot$/, recover],
    ];
    for (const [record, state, message, fix] of outcomes) {
      writeFileSync(boot, JSON.stringify(record));
      expect(await check()).toMatchObject({ state, message: expect.stringMatching(message), fix });
    }
    const held = tryLock(join(world.home, ".local/state/ai-runtime/locks/boot.lock"));
    expect(await check()).toMatchObject({ state: "good", message: expect.stringMatching(/^on; it is at work now/) });
    held?.release();

    const text = readFileSync(unitFile, "utf8");
    writeFileSync(unitFile, `${text}# mine\n`);
    expect(await check()).toMatchObject({
      state: "doubtful",
      message: expect.stringContaining(unitFile),
      fix: install,
    });
    writeFileSync(unitFile, text);
    world.calls();
    world.writeControl("fails", "1");
    world.writeControl("error", "disabled");
    expect(await check()).toMatchObject({
      state: "broken",
      message: expect.stringContaining("disabled"),
      fix: install,
    });
    rmSync(script);
    expect(await check()).toMatchObject({ state: "broken", message: expect.stringContaining(script), fix: install });
  });

  test.each([1, 2, 3, 4])(
    "command %d fails: the hooks are installed, the start at login leaves nothing",
    async (nth) => {
      using world = new ServiceWorld();
      await world.run("install");
      const before = world.files();
      world.writeControl("fails", String(nth));
      world.writeControl("error", "Failed to connect to bus: No medium found");
      const { exitCode, stderr } = await world.run("install", "--at-login");
      expect(exitCode).toBe(3);
      expect(stderr).toContain("the start at login was not installed: ");
      expect(stderr).toContain("All earlier steps were undone. No systemd user manager is reachable");
      expect(world.files()).toEqual(before);
      rmSync(join(world.control, "fails"));
      world.calls();
      expect((await world.run("install", "--at-login")).exitCode).toBe(0);
    },
  );

  test("uninstall --at-login removes only the start at login, and keeps a unit that the user has changed", async () => {
    using world = new ServiceWorld();
    await world.run("install");
    const before = world.files();
    await world.run("install", "--at-login");
    const { unit: unitFile } = pathsOf(world);
    writeFileSync(unitFile, `${readFileSync(unitFile, "utf8")}# mine\n`);
    world.writeControl("state", gone);
    const dry = await world.run("uninstall", "--at-login", "--dry-run");
    expect(dry.stderr).toContain(`would remove ${unitFile}`);
    expect(existsSync(unitFile)).toBeTrue();
    const removed = await world.run("uninstall", "--at-login");
    const kept = /keep what you wrote or changed: (\S+)/.exec(removed.stderr)?.[1] ?? "";
    expect(readFileSync(kept, "utf8")).toEndWith("# mine\n");
    rmSync(kept);
    expect(world.files()).toEqual(before);
    const again = await world.run("uninstall", "--at-login");
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Nothing starts at login") });
  });

  test("uninstall removes a start at login whose record is damaged, and does nothing when it does not stop", async () => {
    using world = new ServiceWorld();
    await world.run("install", "--at-login");
    const { record, unit: unitFile } = pathsOf(world);
    writeFileSync(record, "{");
    world.writeControl("state", gone.replace("inactive", "active"));
    const refused = await world.run("uninstall", "--at-login");
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("did not stop; nothing was removed"),
    });
    expect(existsSync(unitFile)).toBeTrue();
    world.writeControl("state", gone);
    expect((await world.run("uninstall", "--at-login")).exitCode).toBe(0);
    expect([existsSync(unitFile), existsSync(record)]).toEqual([false, false]);
  });

  test("passes on the variables that the user names, and names those that it does not pass on", async () => {
    using world = new ServiceWorld();
    Object.assign(world.env, { ANTHROPIC_API_KEY: "k 'y", https_proxy: "http://localhost:1" });
    const { stdout } = await world.run("install", "--at-login", "--env", "ANTHROPIC_API_KEY", "--dry-run", "--json");
    const { atLogin } = JSON.parse(stdout) as Report;
    expect(atLogin.files[1]?.content).toContain(`ANTHROPIC_API_KEY='k '\\''y'\nexport ANTHROPIC_API_KEY\n`);
    expect(atLogin.notes.join("\n")).toContain("Not passed on from this shell: https_proxy. ");
    expect(atLogin.notes.join("\n")).toContain(`are stored unencrypted in ${pathsOf(world).script}; only you can`);
  });

  const refusals: [why: string, words: string[], says: string][] = [
    ["--shims beside it", ["install", "--shims", "--at-login"], "give --shims or --at-login, not both"],
    ["--env without it", ["install", "--env", "A=b"], "--env needs --at-login"],
    ["a variable that is not set", ["install", "--at-login", "--env", "NOT_SET"], "NOT_SET has no value"],
    ["--boot without --all", ["recover", "--boot"], "--boot needs --all"],
  ];
  test.each(refusals)("refuses %s, and changes nothing", async (_why, words, says) => {
    using world = new ServiceWorld();
    const before = world.files();
    expect(await world.run(...words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says) });
    expect([world.files(), world.calls()]).toEqual([before, []]);
  });
});

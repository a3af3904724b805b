// The service commands with a script in place of systemctl, which records its calls; test/e2e uses a real systemd.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryLock } from "../../../../src/store/lock.ts";
import { gone, running, ServiceWorld } from "../../../support/service/service-world.ts";

interface Plan {
  files: { path: string; content: string; mode: string }[];
  commands: string[][];
  notes: string[];
}

async function plan(world: ServiceWorld, ...words: string[]): Promise<Plan> {
  const { exitCode, stdout, stderr } = await world.run("service", "plan", "--json", ...words);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Plan;
}

describe.skipIf(process.platform !== "linux")("ai-runtime service", () => {
  test("plan changes nothing; install does exactly the plan; a second install changes nothing", async () => {
    using world = new ServiceWorld();
    const before = world.files();
    const planned = await plan(world, "--watchdog", "10m", "--", "--model", "opus");
    expect(world.files()).toEqual(before);
    expect(world.calls()).toEqual([]);

    world.writeControl("state", running);
    const installed = await world.run("service", "install", "--watchdog", "10m", "--", "--model", "opus");
    expect(installed).toMatchObject({ exitCode: 0, stdout: "" });
    expect(installed.stderr).toMatch(/✔ Service work-\w+ is installed and running\.\n$/);
    expect(world.calls()).toEqual(planned.commands.map(([, ...words]) => words.join(" ")));
    const after = world.files();
    for (const { path, content, mode } of planned.files)
      expect(after[path]).toBe(`${mode.replace(/^0+/, "")} ${content}`);
    expect(Object.keys(after).sort()).toEqual(
      [...Object.keys(before), ...planned.files.map(({ path }) => path)].sort(),
    );

    const again = await world.run("service", "install", "--watchdog", "10m", "--", "--model", "opus");
    expect(again.stderr).toMatch(/is already installed and running; nothing to do\.\n$/);
    expect(world.calls()).toEqual([]);

    world.writeControl("state", gone);
    expect((await world.run("service", "uninstall")).stderr).toMatch(/Service work-\w+ is removed\.\n$/);
    expect(world.files()).toEqual(before);
  });

  test.each([1, 2, 3, 4])("undoes everything when command %d fails", async (number) => {
    using world = new ServiceWorld();
    const before = world.files();
    const { commands } = await plan(world);
    world.writeControl("fails", String(number));
    world.writeControl("state", running);
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `the service was not installed: ${commands[number - 1]?.join(" ")}: exit code 1, no such luck`,
    );
    expect(stderr).toContain("All earlier steps were undone.");
    expect(world.files()).toEqual(before);
    expect(world.calls()).toContain(`--user disable --now ${commands[3]?.at(-1)}`);
  });

  test.each([
    "Failed to connect to bus: No medium found",
    "Failed to connect to user scope bus via local transport: $DBUS_SESSION_BUS_ADDRESS and $XDG_RUNTIME_DIR not defined",
  ])("install and uninstall explain what to do without a user bus: %s", async (message) => {
    using world = new ServiceWorld();
    world.writeControl("state", running);
    world.writeControl("error", message);
    world.writeControl("fails", "1");
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain("All earlier steps were undone.\nNo systemd user manager is reachable");
    expect(stderr).toContain("sudo loginctl enable-linger $(id -un)\n");
    expect(stderr).toContain(`export XDG_RUNTIME_DIR=/run/user/${process.getuid?.()}\n`);
    expect(stderr).toContain("systemctl --user is-system-running");

    rmSync(join(world.control, "fails"));
    await world.run("service", "install");
    world.calls();
    world.writeControl("fails", "1");
    const uninstall = await world.run("service", "uninstall");
    expect(uninstall).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("sudo loginctl enable-linger") });
  });

  test("install says that a machine without systemd cannot keep a service", async () => {
    using world = new ServiceWorld();
    world.writeControl("error", "System has not been booted with systemd as init system (PID 1). Can't operate.");
    world.writeControl("fails", "1");
    const { stderr } = await world.run("service", "install");
    expect(stderr).toContain("This machine does not run systemd");
  });

  test("plan names the variables of this shell that the service does not get", async () => {
    using world = new ServiceWorld();
    Object.assign(world.env, {
      ANTHROPIC_API_KEY: "k",
      https_proxy: "http://localhost:1",
      CLAUDE_CONFIG_DIR: join(world.home, ".claude"),
      CLAUDECODE: "1",
      EDITOR: "vi",
      EMPTY_PROXY: "",
    });
    const note = (notes: string[]): string | undefined => notes.find((text) => text.startsWith("Not passed on"));
    expect(note((await plan(world)).notes)).toBe(
      "Not passed on from this shell: ANTHROPIC_API_KEY, https_proxy. To pass one on, add: --env NAME",
    );
    const given = ["--env", "ANTHROPIC_API_KEY", "--env", "https_proxy"];
    expect(note((await plan(world, ...given)).notes)).toBeUndefined();
  });

  test("does not report a service as installed that is not running after its start", async () => {
    using world = new ServiceWorld();
    const before = world.files();
    world.writeControl("state", running.replace("active", "failed"));
    // The log line that the service would write.
    const log = (await plan(world)).files[0]?.path.replace(/json$/, "log") ?? "";
    world.writeControl(
      "on-restart",
      `mkdir -p ${dirname(log)}; echo '2026-01-01T00:00:00.000Z claude ended: exit code 1' > ${log}`,
    );
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'its state is "failed" right after the start; its log ends with: claude ended: exit code 1',
    );
    expect(world.files()).toEqual(before);
  });

  test("other options update the service; a failure restores the old one", async () => {
    using world = new ServiceWorld();
    world.writeControl("state", running);
    await world.run("service", "install");
    const before = world.files();
    world.calls();
    world.writeControl("fails", "1");
    expect((await world.run("service", "install", "--restart", "always")).exitCode).toBe(1);
    expect(world.files()).toEqual(before);
    expect(world.calls().at(-1)).toMatch(/^--user restart /);

    rmSync(join(world.control, "fails"));
    expect((await world.run("service", "install", "--restart", "always")).exitCode).toBe(0);
    const unit = Object.entries(world.files()).find(([path]) => path.endsWith(".service"))?.[1];
    expect(unit).toContain("Restart=always");
    const copies = Object.keys(world.files()).filter((path) => path.includes("/replaced/"));
    expect(copies.length).toBeGreaterThan(0);
    world.writeControl("state", gone);
    await world.run("service", "uninstall");
    expect(Object.keys(world.files()).filter((path) => path.includes("/services/"))).toEqual([]);
  });

  test("keeps a unit that the user has changed, and prints where", async () => {
    using world = new ServiceWorld();
    world.writeControl("state", running);
    const { files } = await plan(world);
    const unit = files.find(({ path }) => path.endsWith(".service"))?.path ?? "";
    await world.run("service", "install");
    writeFileSync(unit, `${readFileSync(unit, "utf8")}# mine\n`);
    world.writeControl("state", gone);
    const { stderr } = await world.run("service", "uninstall");
    const kept = /! (\S+) keeps what you wrote or changed/.exec(stderr)?.[1] ?? "";
    expect(readFileSync(kept, "utf8")).toEndWith("# mine\n");
  });

  test("uninstall removes nothing when the service does not stop", async () => {
    using world = new ServiceWorld();
    world.writeControl("state", running);
    await world.run("service", "install");
    const before = world.files();
    const { exitCode, stderr } = await world.run("service", "uninstall");
    expect([exitCode, stderr.split("\n")[0]]).toEqual([1, expect.stringMatching(/did not stop; nothing was removed$/)]);
    expect(world.files()).toEqual(before);
  });

  test("uninstall removes nothing while a process of a stopped service is alive", async () => {
    using world = new ServiceWorld();
    world.writeControl("state", running);
    await world.run("service", "install");
    world.writeControl("state", gone);
    const state = join(world.home, ".local/state/ai-runtime");
    const slug =
      readdirSync(join(state, "services"))
        .find((name) => name.endsWith(".json"))
        ?.slice(0, -5) ?? "";
    const lock = tryLock(join(state, "locks", `${slug}.lock`));
    if (!lock) throw new Error("the lock is already held");
    const held = world.files();
    const refused = await world.run("service", "uninstall");
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("did not stop; nothing was removed"),
    });
    expect(world.files()).toEqual(held);
    lock.discard();
    expect((await world.run("service", "uninstall")).exitCode).toBe(0);
  });

  test("status shows the log line of a failed service", async () => {
    using world = new ServiceWorld();
    world.writeControl("state", running);
    await world.run("service", "install");
    const log = (await plan(world)).files[0]?.path.replace(/json$/, "log") ?? "";
    writeFileSync(log, "2026-01-01T00:00:00.000Z failed: there is no directory /shop\n");
    world.writeControl("state", `${running.replace("active", "failed")}Result=exit-code\n`);
    const { stdout } = await world.run("service", "status");
    expect(stdout).toContain("failed: there is no directory /shop");
  });

  test("reports a missing systemctl, and leaves not even an empty directory", async () => {
    using world = new ServiceWorld();
    const before = readdirSync(world.home, { recursive: true }).sort();
    rmSync(join(world.home, "bin/systemctl"));
    world.env["PATH"] = join(world.home, "bin");
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("systemctl --user daemon-reload: systemctl is not on PATH");
    const left = readdirSync(world.home, { recursive: true }).sort();
    expect(left.filter((path) => /service/.test(String(path)))).toEqual(
      before.filter((path) => /service/.test(String(path))),
    );
  });

  const refusals: [why: string, words: string[], exitCode: number, says: RegExp][] = [
    ["a subcommand of claude", ["plan", "--", "mcp", "list"], 2, /claude mcp cannot run as a service/],
    ["a claude without a transcript", ["plan", "--", "--no-session-persistence"], 2, /cannot run as a service/],
    [
      "a flag that chooses the session",
      ["plan", "--", "--resume", "x"],
      2,
      /chooses its session itself: leave out --resume/,
    ],
    [
      "an invalid duration",
      ["plan", "--watchdog", "soon"],
      2,
      /--watchdog must be a duration \(got "soon"\)\nUse a duration such as/,
    ],
    ["a burst of zero", ["plan", "--burst", "0"], 2, /--burst must be a whole number from 1 to 999 \(got "0"\)/],
    ["an unknown system", ["plan", "--platform", "beos"], 2, /--platform must be one of linux, darwin, windows/],
    ["a variable that is not set", ["plan", "--env", "NOT_SET"], 2, /NOT_SET has no value and is not set/],
    ["an invalid variable name", ["plan", "--env", "a b=c"], 2, /"a b" is not a valid variable name/],
    ["a missing directory", ["install", "/no/such/place"], 4, /there is no directory \/no\/such\/place/],
    ["an unknown service", ["uninstall", "shop"], 4, /no service matches "shop"/],
    ["logs without a service", ["logs"], 4, /no service is installed/],
  ];
  test.each(refusals)("refuses %s", async (_why, words, exitCode, says) => {
    using world = new ServiceWorld();
    const before = world.files();
    const result = await world.run("service", ...words);
    expect([result.exitCode, result.stdout]).toEqual([exitCode, ""]);
    expect(result.stderr).toMatch(says);
    expect(world.files()).toEqual(before);
    expect(world.calls()).toEqual([]);
  });

  test("can plan, but not install, without claude", async () => {
    using world = new ServiceWorld();
    world.env["PATH"] = "/usr/bin:/bin";
    expect((await plan(world)).notes).toContain("claude is not on PATH; the service searches for it at each start.");
    expect((await world.run("service", "install")).exitCode).toBe(127);
  });

  test("plans for the other systems name their own files and commands", async () => {
    using world = new ServiceWorld();
    const darwin = await plan(world, "--platform", "darwin", "--no-resume-on-restart", "--", "-p", "hi");
    expect(darwin.files.map(({ path }) => path).join("\n")).toMatch(/LaunchAgents\/ai-runtime\.work-\w+\.plist$/);
    expect(darwin.commands.flat()).toContain("bootstrap");
    const windows = await plan(world, "C:\\shop", "--platform", "windows");
    expect(windows.files.map(({ path }) => path).join("\n")).toMatch(/-resume-wrapper\.cmd\n.*\.xml$/);
    expect(windows.commands.flat()).toContain("schtasks");
  });

  test("the plan for people shows each file, command and note", async () => {
    using world = new ServiceWorld();
    const { files, commands, notes } = await plan(world);
    const { stdout } = await world.run("service", "plan");
    for (const { path } of files) expect(stdout).toContain(`${path}  (0`);
    for (const [program, ...words] of commands) expect(stdout).toContain(`  ${program} ${words.slice(0, 2).join(" ")}`);
    for (const note of notes) expect(stdout).toContain(note);
  });
});

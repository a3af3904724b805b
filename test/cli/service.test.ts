// The service commands with a systemctl that only writes down what it is told; see test/e2e for a real one.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryLock } from "../../src/store/lock.ts";
import { gone, running, ServiceWorld } from "../support/service-world.ts";

setDefaultTimeout(60_000);

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
  test("plan touches nothing; install does exactly that; the second time there is nothing to do", async () => {
    using world = new ServiceWorld();
    const before = world.files();
    const planned = await plan(world, "--watchdog", "10m", "--", "--model", "opus");
    expect(world.files()).toEqual(before);
    expect(world.calls()).toEqual([]);

    world.says("state", running);
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
    expect(again.stderr).toMatch(/is installed already and running; nothing to do\.\n$/);
    expect(world.calls()).toEqual([]);

    world.says("state", gone);
    expect((await world.run("service", "uninstall")).stderr).toMatch(/Service work-\w+ is gone\.\n$/);
    expect(world.files()).toEqual(before);
  });

  test.each([1, 2, 3, 4])("when command %d fails, everything before it is undone", async (number) => {
    using world = new ServiceWorld();
    const before = world.files();
    const { commands } = await plan(world);
    world.says("fails", String(number));
    world.says("state", running);
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `the service was not installed: ${commands[number - 1]?.join(" ")}: exit code 1, no such luck`,
    );
    expect(stderr).toContain("Everything that was done before that is undone.");
    expect(world.files()).toEqual(before);
    expect(world.calls()).toContain(`--user disable --now ${commands[3]?.at(-1)}`);
  });

  test("a service that is not running after its start is not called installed", async () => {
    using world = new ServiceWorld();
    const before = world.files();
    world.says("state", running.replace("active", "failed"));
    // As the service itself would have written it.
    const log = (await plan(world)).files[0]?.path.replace(/json$/, "log") ?? "";
    world.says(
      "on-restart",
      `mkdir -p ${dirname(log)}; echo '2026-01-01T00:00:00.000Z claude ended: exit code 1' > ${log}`,
    );
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("it is failed right after its start; its log ends with: claude ended: exit code 1");
    expect(world.files()).toEqual(before);
  });

  test("other options change it; a failure on the way brings the old one back", async () => {
    using world = new ServiceWorld();
    world.says("state", running);
    await world.run("service", "install");
    const before = world.files();
    world.calls();
    world.says("fails", "1");
    expect((await world.run("service", "install", "--restart", "always")).exitCode).toBe(1);
    expect(world.files()).toEqual(before);
    expect(world.calls().at(-1)).toMatch(/^--user restart /);

    rmSync(join(world.control, "fails"));
    expect((await world.run("service", "install", "--restart", "always")).exitCode).toBe(0);
    const unit = Object.entries(world.files()).find(([path]) => path.endsWith(".service"))?.[1];
    expect(unit).toContain("Restart=always");
    const copies = Object.keys(world.files()).filter((path) => path.includes("/replaced/"));
    expect(copies.length).toBeGreaterThan(0);
    world.says("state", gone);
    await world.run("service", "uninstall");
    expect(Object.keys(world.files()).filter((path) => path.includes("/services/"))).toEqual([]);
  });

  test("a unit that the user has changed is kept, and he is told where", async () => {
    using world = new ServiceWorld();
    world.says("state", running);
    const { files } = await plan(world);
    const unit = files.find(({ path }) => path.endsWith(".service"))?.path ?? "";
    await world.run("service", "install");
    writeFileSync(unit, `${readFileSync(unit, "utf8")}# mine\n`);
    world.says("state", gone);
    const { stderr } = await world.run("service", "uninstall");
    const kept = /! (\S+) has what you wrote or changed/.exec(stderr)?.[1] ?? "";
    expect(readFileSync(kept, "utf8")).toEndWith("# mine\n");
  });

  test("uninstall removes nothing of a service that does not stop", async () => {
    using world = new ServiceWorld();
    world.says("state", running);
    await world.run("service", "install");
    const before = world.files();
    const { exitCode, stderr } = await world.run("service", "uninstall");
    expect([exitCode, stderr.split("\n")[0]]).toEqual([
      1,
      expect.stringMatching(/does not stop; nothing was removed$/),
    ]);
    expect(world.files()).toEqual(before);
  });

  test("nor of one that the system calls stopped while a process of it lives", async () => {
    using world = new ServiceWorld();
    world.says("state", running);
    await world.run("service", "install");
    world.says("state", gone);
    const state = join(world.home, ".local/state/ai-runtime");
    const slug =
      readdirSync(join(state, "services"))
        .find((name) => name.endsWith(".json"))
        ?.slice(0, -5) ?? "";
    const lock = tryLock(join(state, "locks", `${slug}.lock`));
    if (lock === "busy") throw new Error("nobody else should hold it");
    const held = world.files();
    const refused = await world.run("service", "uninstall");
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("does not stop; nothing was removed"),
    });
    expect(world.files()).toEqual(held);
    lock.discard();
    expect((await world.run("service", "uninstall")).exitCode).toBe(0);
  });

  test("status tells of one that is down what its log says, not only that it failed", async () => {
    using world = new ServiceWorld();
    world.says("state", running);
    await world.run("service", "install");
    const log = (await plan(world)).files[0]?.path.replace(/json$/, "log") ?? "";
    writeFileSync(log, "2026-01-01T00:00:00.000Z failed: there is no directory /shop\n");
    world.says("state", `${running.replace("active", "failed")}Result=exit-code\n`);
    const { stdout } = await world.run("service", "status");
    expect(stdout).toContain("failed: there is no directory /shop");
  });

  test("without a systemctl it says so, and leaves not even an empty directory", async () => {
    using world = new ServiceWorld();
    const before = readdirSync(world.home, { recursive: true }).sort();
    rmSync(join(world.home, "bin/systemctl"));
    world.env["PATH"] = join(world.home, "bin");
    const { exitCode, stderr } = await world.run("service", "install");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("systemctl --user daemon-reload: there is no systemctl on PATH");
    const left = readdirSync(world.home, { recursive: true }).sort();
    expect(left.filter((path) => /service/.test(String(path)))).toEqual(
      before.filter((path) => /service/.test(String(path))),
    );
  });

  const refusals: [why: string, words: string[], exitCode: number, says: RegExp][] = [
    ["a subcommand of claude", ["plan", "--", "mcp", "list"], 2, /claude mcp cannot run as a service/],
    ["a claude that leaves nothing", ["plan", "--", "--no-session-persistence"], 2, /cannot run as a service/],
    [
      "a session of the user's choice",
      ["plan", "--", "--resume", "x"],
      2,
      /chooses its session itself: leave out --resume/,
    ],
    ["a time that is none", ["plan", "--watchdog", "soon"], 2, /--watchdog cannot be "soon"\nIt is a time such as/],
    ["no starts at all", ["plan", "--burst", "0"], 2, /--burst cannot be "0"/],
    ["a system that is none", ["plan", "--platform", "beos"], 2, /it is one of linux, darwin, windows/],
    ["a variable that is not set", ["plan", "--env", "NOT_SET"], 2, /NOT_SET is not set here/],
    ["a variable with a strange name", ["plan", "--env", "a b=c"], 2, /"a b" is not the name of a variable/],
    ["a directory that is none", ["install", "/no/such/place"], 4, /there is no directory \/no\/such\/place/],
    ["a service that is none", ["uninstall", "shop"], 4, /there is no service "shop"/],
    ["logs of nothing", ["logs"], 4, /no service is installed/],
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

  test("without a claude it can be planned, not installed", async () => {
    using world = new ServiceWorld();
    world.env["PATH"] = "/usr/bin:/bin";
    expect((await plan(world)).notes).toContain("claude was not found on PATH; it is looked for at each start.");
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

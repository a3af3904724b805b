// Checks the files with independent readers: systemd-analyze, Python's plistlib, the task schema.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loginSlug, planLogin } from "../../../src/core/service/login-plan.ts";
import type { LoginOptions, ServiceOptions } from "../../../src/core/service/service-options.ts";
import { planService } from "../../../src/core/service/service-plan.ts";
import { childOf, readXml, type XmlElement } from "../../support/service/read-xml.ts";
import { exampleService } from "../../support/service/service-options.ts";

const variants: [string, Partial<ServiceOptions>][] = [
  ["plain", {}],
  ["watched", { watchdog: 600_000, restart: "always" }],
  ["hostile names", { workspace: '/tmp/a b %h $x "q" ; & <é> 🚀', claudeArguments: ['a %h $x "q" \'; \\ 🚀', "\n"] }],
  [
    "hostile names, started directly",
    {
      resume: false,
      claude: "/bin/true",
      workspace: '/tmp/a b %h $x "q" ; & <é> 🚀',
      claudeArguments: ['a %h $x "q" \'; \\ 🚀', "\n"],
    },
  ],
];

const hostileHome = "/tmp/h %h $x \"q\" 'r' ; & <é> 🚀 \\ \u00a0x";

const unitOf = (options: ServiceOptions): string => planService(options).files.at(-1)?.content ?? "";

variants.push([
  "a hostile home",
  { places: { home: hostileHome, stateHome: hostileHome, configHome: hostileHome, userId: 501, userName: "me" } },
]);

const login = { slug: loginSlug, environment: { PATH: "/a b:/bin", LANG: "C" } };
const loginUnitOf = (options: LoginOptions): string => planLogin(options).files.at(-1)?.content ?? "";

describe.skipIf(Bun.which("systemd-analyze") === null)("systemd-analyze verify accepts the unit", () => {
  const verify = (unit: string): [exitCode: number, stdout: string, stderr: string] => {
    const directory = mkdtempSync(join(tmpdir(), "unit-"));
    try {
      const path = join(directory, "ai-runtime-x.service");
      writeFileSync(path, unit);
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: directory,
        XDG_RUNTIME_DIR: directory,
        SYSTEMD_LOG_LEVEL: "notice",
      };
      const { exitCode, stdout, stderr } = Bun.spawnSync(
        ["systemd-analyze", "verify", "--user", "--recursive-errors=no", path],
        { env },
      );
      return [exitCode, stdout.toString(), stderr.toString()];
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  test.each(variants)("%s", (_name, changes) => {
    expect(verify(unitOf(exampleService("linux", changes)))).toEqual([0, "", ""]);
  });

  test.each([variants[0]!, variants.at(-1)!])("the start at login, %s", (_name, changes) => {
    expect(verify(loginUnitOf(exampleService("linux", { ...login, ...changes })))).toEqual([0, "", ""]);
  });
});

describe.skipIf(Bun.which("python3") === null)("plistlib reads the property list", () => {
  const read = (plist: string): unknown => {
    const program = "import sys,json,plistlib; print(json.dumps(plistlib.load(sys.stdin.buffer)))";
    const { exitCode, stdout, stderr } = Bun.spawnSync(["python3", "-c", program], {
      stdin: new TextEncoder().encode(plist),
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    return JSON.parse(stdout.toString());
  };

  test.each(variants)("%s", (_name, changes) => {
    const options = exampleService("darwin", changes);
    const wrapper = planService(options).files[1]?.path ?? "";
    const words = options.resume ? ["/bin/sh", wrapper] : [options.claude, ...options.claudeArguments];
    expect(read(unitOf(options))).toMatchObject({
      Label: `ai-runtime.${options.slug}`,
      ProgramArguments: words,
      RunAtLoad: true,
      KeepAlive: options.restart === "always" ? true : { SuccessfulExit: false },
      ThrottleInterval: 10,
      StandardOutPath: `${options.places.stateHome}/ai-runtime/services/${options.slug}.log`,
      StandardErrorPath: `${options.places.stateHome}/ai-runtime/services/${options.slug}.log`,
      ...(options.resume
        ? {}
        : { WorkingDirectory: options.workspace, EnvironmentVariables: { ...options.environment } }),
    });
  });

  test.each([variants[0]!, variants.at(-1)!])("the start at login, %s", (_name, changes) => {
    const options = exampleService("darwin", { ...login, ...changes });
    expect(read(loginUnitOf(options))).toEqual({
      Label: "ai-runtime.at-login",
      ProgramArguments: ["/bin/sh", planLogin(options).files[1]?.path],
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      AbandonProcessGroup: true,
      Umask: 0o77,
      StandardErrorPath: `${options.places.stateHome}/ai-runtime/services/at-login.log`,
    });
  });
});

/** The element order of the Task Scheduler 1.2 schema, which the scheduler also uses when it exports a task. */
const order: Record<string, readonly string[]> = {
  Task: ["RegistrationInfo", "Triggers", "Principals", "Settings", "Data", "Actions"],
  RegistrationInfo: [
    "URI",
    "SecurityDescriptor",
    "Source",
    "Date",
    "Author",
    "Version",
    "Description",
    "Documentation",
  ],
  Triggers: ["LogonTrigger"],
  LogonTrigger: ["Enabled", "StartBoundary", "EndBoundary", "Repetition", "ExecutionTimeLimit", "UserId", "Delay"],
  Principals: ["Principal"],
  Principal: ["UserId", "LogonType", "GroupId", "DisplayName", "RunLevel"],
  Settings: [
    "MultipleInstancesPolicy",
    "DisallowStartIfOnBatteries",
    "StopIfGoingOnBatteries",
    "AllowHardTerminate",
    "StartWhenAvailable",
    "RunOnlyIfNetworkAvailable",
    "IdleSettings",
    "AllowStartOnDemand",
    "Enabled",
    "Hidden",
    "RunOnlyIfIdle",
    "WakeToRun",
    "ExecutionTimeLimit",
    "Priority",
    "RestartOnFailure",
  ],
  RestartOnFailure: ["Interval", "Count"],
  Actions: ["Exec"],
  Exec: ["Command", "Arguments", "WorkingDirectory"],
};

function checkOrder({ name, children, text }: XmlElement): void {
  const allowed = order[name];
  if (!allowed) {
    expect([name, children.length]).toEqual([name, 0]);
    return;
  }
  expect(text.trim()).toBe("");
  const places = children.map((child) => allowed.indexOf(child.name));
  expect([name, places]).toEqual([name, places.filter((place) => place >= 0).toSorted((a, b) => a - b)]);
  expect(new Set(places).size).toBe(places.length);
  for (const child of children) checkOrder(child);
}

/** The script runs in a shell as it is: every variable arrives as it was. */
describe.skipIf(process.platform === "win32")("the script of the start at login", () => {
  test("passes on hostile values, and calls recover", () => {
    const value = "a %h $x `id` \"q\" 'r' ; & <é> 🚀 \\ \n end";
    const places = { ...exampleService("linux").places, stateHome: hostileHome };
    const options = exampleService("linux", {
      ...login,
      places,
      environment: { MINE: value },
      executable: "/bin/echo",
    });
    const script = `${planLogin(options).files[1]?.content.replace("exec ", "env -0; ")}`;
    const { stdout } = Bun.spawnSync(["/bin/sh", "-c", script], {
      env: { BUN_OPTIONS: "--preload x", PATH: "/usr/bin:/bin" },
    });
    const lines = stdout.toString().split("\0");
    expect(lines).toContain(`MINE=${value}`);
    expect(lines).toContain(`XDG_STATE_HOME=${hostileHome}`);
    expect(stdout.toString()).not.toContain("BUN_OPTIONS");
    expect(lines.at(-1)).toBe("recover --all --boot --quiet\n");
  });
});

describe("the task follows the element order of its schema", () => {
  const windowsVariants = variants
    .slice(0, 4)
    .map(([name, { workspace, ...changes }]): [string, Partial<ServiceOptions>] => [
      name,
      { ...changes, workspace: workspace ? "C:\\a b & é 🚀" : "C:\\shop" },
    ]);
  test.each(windowsVariants)("%s", (_name, changes) => {
    const task = readXml(unitOf(exampleService("windows", changes)));
    expect(task.name).toBe("Task");
    checkOrder(task);
  });

  test("the start at login", () => {
    const task = readXml(loginUnitOf(exampleService("windows", login)));
    checkOrder(task);
    expect(childOf(task, "Actions", "Exec", "Command").text).toEndWith('\\at-login-resume-wrapper.cmd"');
    expect(childOf(task, "Triggers", "LogonTrigger", "UserId").text).toBe("DESK\\me");
  });

  test("the check rejects a wrong order", () => {
    expect(() => checkOrder(readXml("<Task><Settings></Settings><Triggers></Triggers></Task>"))).toThrow();
    expect(() => checkOrder(readXml("<Exec><Command>x</Command><Program>y</Program></Exec>"))).toThrow();
  });
});

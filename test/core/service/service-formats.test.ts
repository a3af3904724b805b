// Checks the files with independent readers: systemd-analyze, Python's plistlib, the task schema.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceOptions } from "../../../src/core/service/service-options.ts";
import { planService } from "../../../src/core/service/service-plan.ts";
import { readXml, type XmlElement } from "../../support/service/read-xml.ts";
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

describe.skipIf(Bun.which("systemd-analyze") === null)("systemd-analyze verify accepts the unit", () => {
  test.each(variants)("%s", (_name, changes) => {
    const directory = mkdtempSync(join(tmpdir(), "unit-"));
    try {
      const path = join(directory, "ai-runtime-x.service");
      writeFileSync(path, unitOf(exampleService("linux", changes)));
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
      expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([0, "", ""]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe.skipIf(Bun.which("python3") === null)("plistlib reads the property list", () => {
  test.each(variants)("%s", (_name, changes) => {
    const options = exampleService("darwin", changes);
    const program = "import sys,json,plistlib; print(json.dumps(plistlib.load(sys.stdin.buffer)))";
    const { exitCode, stdout, stderr } = Bun.spawnSync(["python3", "-c", program], {
      stdin: new TextEncoder().encode(unitOf(options)),
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    const wrapper = planService(options).files[1]?.path ?? "";
    const words = options.resume ? ["/bin/sh", wrapper] : [options.claude, ...options.claudeArguments];
    expect(JSON.parse(stdout.toString())).toMatchObject({
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

  test("the check rejects a wrong order", () => {
    expect(() => checkOrder(readXml("<Task><Settings></Settings><Triggers></Triggers></Task>"))).toThrow();
    expect(() => checkOrder(readXml("<Exec><Command>x</Command><Program>y</Program></Exec>"))).toThrow();
  });
});

// Compares the planned files of each system with golden files, so that a change shows what users will get.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loginSlug, parseLoginRecord, planLogin } from "../../../src/core/service/login-plan.ts";
import type {
  LoginOptions,
  ServiceOptions,
  ServicePlan,
  ServiceSystem,
} from "../../../src/core/service/service-options.ts";
import { planRemoval, planService } from "../../../src/core/service/service-plan.ts";
import { parseServiceRecord } from "../../../src/core/service/service-record.ts";
import { exampleService } from "../../support/service/service-options.ts";

const fixtures = join(import.meta.dir, "../../fixtures/service");

const variants: Record<string, Partial<ServiceOptions>> = {
  plain: {},
  watched: { watchdog: 600_000, restart: "always", restartDelay: 30_000, burst: 3 },
  direct: { resume: false, claudeArguments: ["-p", "Say 100% \"yes\" & <no> for $5; 'ok' 🚀"] },
};
const systems: ServiceSystem[] = ["linux", "darwin", "windows"];
const cases = systems.flatMap((system) => Object.keys(variants).map((variant) => [system, variant] as const));

/** Renders a whole plan as one readable text. */
function render({ files, commands, notes }: ServicePlan): string {
  const parts = files.map(
    ({ path, content, mode }) => `=== ${path} ${mode.toString(8)}\n${content.replaceAll("\r\n", "\u240d\n")}`,
  );
  const lists = [
    `=== commands\n${commands.map((words) => `${JSON.stringify(words)}\n`).join("")}`,
    `=== notes\n${notes.map((note) => `${note}\n`).join("")}`,
  ];
  return [...parts, ...lists].join("");
}

describe("plans match the golden files", () => {
  test.each(cases)("%s, %s", (system, variant) => {
    expect(render(planService(exampleService(system, variants[variant])))).toBe(
      readFileSync(join(fixtures, `${system}-${variant}.txt`), "utf8"),
    );
  });
});

describe("the start at login", () => {
  const login = (system: ServiceSystem, changes: Partial<ServiceOptions> = {}): LoginOptions =>
    exampleService(system, { slug: loginSlug, environment: { LANG: "C.UTF-8", MINE: "100% of $5" }, ...changes });

  test.each(systems)("%s: matches the golden file", (system) => {
    expect(render(planLogin(login(system)))).toBe(readFileSync(join(fixtures, `${system}-at-login.txt`), "utf8"));
  });

  test.each(systems)("%s: has a valid record, private files, and every file is removed again", (system) => {
    const options = login(system);
    const plan = planLogin(options);
    const record = parseLoginRecord(plan.files[0]?.content ?? "");
    for (const { mode } of plan.files) expect(mode & 0o077).toBe(0);
    expect(planRemoval(record!, options.places).files.map(({ path }) => path)).toEqual(
      plan.files.slice(1).map(({ path }) => path),
    );
    expect(parseLoginRecord("{")).toBeUndefined();
    expect(parseServiceRecord(plan.files[0]?.content ?? "")).toBeUndefined();
  });

  test("launchd stops the installed one first", () => {
    expect(planLogin(login("darwin", { installed: true })).commands[0]).toContain("bootout");
  });
});

describe("every plan", () => {
  test.each(cases)("%s, %s: is deterministic, with a valid record and private files", (system, variant) => {
    const options = exampleService(system, variants[variant]);
    const plan = planService(options);
    expect(planService(options)).toEqual(plan);
    const record = parseServiceRecord(plan.files[0]?.content ?? "");
    expect(record).toMatchObject({ slug: options.slug, workspace: options.workspace, resume: options.resume });
    expect(record?.claudeArguments).toEqual([...options.claudeArguments]);
    for (const { mode } of plan.files) expect(mode & 0o077).toBe(0);
    expect(planRemoval(record!, options.places).files.map(({ path }) => path)).toEqual(
      plan.files.slice(1).map(({ path }) => path),
    );
  });

  test.each(systems)("%s: adds no permission flags and disables Claude's automatic update", (system) => {
    const plan = planService(exampleService(system, { claudeArguments: [] }));
    const text = JSON.stringify(plan);
    expect(text).not.toContain("dangerously");
    expect(text).not.toContain("permission-mode");
    expect(text).toContain("DISABLE_AUTOUPDATER");
  });

  test.each(systems)("%s: without resume there is no wrapper and no added flag", (system) => {
    const { files } = planService(exampleService(system, { resume: false }));
    expect(files).toHaveLength(2);
    expect(files.map(({ path }) => path).join()).not.toContain("resume-wrapper");
    expect(files[1]?.content).not.toContain("--continue");
  });
});

test.each([1_000, 10_000, 600_000])("the start limit triggers with a restart delay of %d ms", (restartDelay) => {
  const { files } = planService(exampleService("linux", { restartDelay, burst: 5 }));
  const unit = files.find(({ path }) => path.endsWith(".service"))?.content ?? "";
  const interval = Number(/StartLimitIntervalSec=(\d+)/.exec(unit)?.[1]);
  const delay = Number(/RestartSec=(\d+)/.exec(unit)?.[1]);
  // Each start may take up to 55 seconds to fail.
  expect(interval).toBeGreaterThanOrEqual(5 * (delay + 55));
  expect(unit.indexOf("StartLimitIntervalSec")).toBeLessThan(unit.indexOf("[Service]"));
});

test("launchd and the Task Scheduler stop an installed service first", () => {
  expect(planService(exampleService("darwin", { installed: true })).commands[0]).toContain("bootout");
  expect(planService(exampleService("darwin")).commands.flat()).not.toContain("bootout");
  expect(planService(exampleService("windows", { installed: true })).commands[0]).toContain("/End");
});

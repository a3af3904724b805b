import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { maintain } from "../../src/app/maintenance/maintain.ts";
import { loadSettings } from "../../src/app/settings.ts";
import { readSettings } from "../../src/core/settings.ts";
import { HookWorld } from "../support/worlds/hook-world.ts";

const defaults = readSettings(undefined, {}).settings;

test("loadSettings reads config.json and the variables", () => {
  using world = new HookWorld();
  const environment = currentEnvironment({ ...world.env, AI_RUNTIME_WAIT_SECONDS: "60" });
  expect(loadSettings(environment).settings).toEqual({ ...defaults, waitSeconds: 60 });
  mkdirSync(world.files.root, { recursive: true });
  writeFileSync(join(world.files.root, "config.json"), '{"maxDisk": 1, "waitSeconds": 2, "unknown": 3}');
  expect(loadSettings(environment)).toEqual({
    settings: { ...defaults, waitSeconds: 60, maxDisk: 1 },
    problems: ['unknown setting "unknown" in config.json (ai-runtime man lists all settings)'],
    rejected: [],
    unreadable: undefined,
  });
});

test("an unreadable config.json gives the defaults and a problem, and stops maintenance before it deletes", () => {
  using world = new HookWorld();
  const path = join(world.files.root, "config.json");
  mkdirSync(path, { recursive: true });
  const environment = currentEnvironment(world.env);
  const { settings, problems } = loadSettings(environment);
  expect(settings).toEqual(defaults);
  expect(problems).toEqual([`cannot read ${path}: ${path} is not a regular file; using the defaults`]);
  expect(() => maintain(environment)).toThrow(`cannot read ${path}`);
  rmSync(path, { recursive: true });
  expect(maintain(environment)).toMatchObject({ problems: [] });
});

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SourceFile, violations } from "./support/architecture.ts";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..");

function sources(): SourceFile[] {
  return [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: root })].map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(join(root, path), "utf8"),
  }));
}

test("every room imports only what the house allows, and touches only what it may know", () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(20);
  expect(violations(files)).toEqual([]);
});

describe("the rule can fail:", () => {
  const cases: [why: string, path: string, text: string][] = [
    ["core imports io", "src/core/a.ts", 'import { b } from "../io/b.ts";'],
    ["core imports a node module", "src/core/a.ts", 'import { readFileSync } from "node:fs";'],
    ["core reads the clock", "src/core/a.ts", "const t = Date.now();"],
    ["core reads the clock by a bare Date", "src/core/a.ts", "const t = new Date();"],
    ["core is random", "src/core/a.ts", "const r = Math.random();"],
    ["claude uses Bun", "src/claude/a.ts", "const f = Bun.file(path);"],
    ["claude imports a value of core", "src/claude/a.ts", 'import { Failure } from "../core/failure.ts";'],
    ["store knows Claude", "src/store/a.ts", 'import type { X } from "../claude/x.ts";'],
    ["io decides", "src/io/a.ts", 'import { due } from "../core/due.ts";'],
    ["platform imports ours", "src/platform/a.ts", 'import { x } from "../io/x.ts";'],
    ["cli opens files", "src/cli/a.ts", 'import { openSync } from "node:fs";'],
    ["cli starts processes", "src/cli/a.ts", "Bun.spawn([]);"],
    ["cli reaches into a store", "src/cli/a.ts", 'import { x } from "../store/x.ts";'],
    ["cli reaches into a store lazily", "src/cli/a.ts", 'const { x } = await import("../store/x.ts");'],
    ["app exits", "src/app/a.ts", "process.exit(1);"],
    ["app asks which system it is", "src/app/a.ts", "if (process.platform) {}"],
    ["app paints", "src/app/a.ts", 'import pc from "picocolors";'],
    ["a second writer", "src/store/a.ts", "writeFileSync(path, text);"],
    ["a writer by stream", "src/store/a.ts", "createWriteStream(path);"],
    ["a remover of directories", "src/app/a.ts", "rmdirSync(path);"],
    ["a changer of modes beside durable.ts", "src/io/a.ts", "chmodSync(path, 0o600);"],
    ["a room that is not in the house", "src/utils/a.ts", ""],
  ];
  test.each(cases)("%s", (_why, path, text) => {
    expect(violations([{ path, text }])).toHaveLength(1);
  });
});

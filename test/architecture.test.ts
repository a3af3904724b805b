import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SourceFile, violations } from "./support/architecture.ts";

const root = join(import.meta.dir, "..");

function sources(): SourceFile[] {
  return [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync({ cwd: root })].map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(join(root, path), "utf8"),
  }));
}

test("every room of src imports only the rooms it may, and uses only the APIs it may", () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(20);
  expect(violations(files)).toEqual([]);
});

describe("reports a violation when", () => {
  const cases: [title: string, path: string, text: string][] = [
    ["core imports io", "src/core/a.ts", 'import { b } from "../io/b.ts";'],
    ["core imports a node module", "src/core/a.ts", 'import { readFileSync } from "node:fs";'],
    ["core reads the clock", "src/core/a.ts", "const t = Date.now();"],
    ["core reads the clock with a bare Date", "src/core/a.ts", "const t = new Date();"],
    ["core uses random numbers", "src/core/a.ts", "const r = Math.random();"],
    ["claude uses Bun", "src/claude/a.ts", "const f = Bun.file(path);"],
    ["claude imports a value of core", "src/claude/a.ts", 'import { Failure } from "../core/failure.ts";'],
    ["store imports claude", "src/store/a.ts", 'import type { X } from "../claude/x.ts";'],
    ["io imports core", "src/io/a.ts", 'import { due } from "../core/due.ts";'],
    ["platform imports io", "src/platform/a.ts", 'import { x } from "../io/x.ts";'],
    ["cli opens files", "src/cli/a.ts", 'import { openSync } from "node:fs";'],
    ["cli starts processes", "src/cli/a.ts", "Bun.spawn([]);"],
    ["cli imports store", "src/cli/a.ts", 'import { x } from "../store/x.ts";'],
    ["cli imports store lazily", "src/cli/a.ts", 'const { x } = await import("../store/x.ts");'],
    ["app exits the process", "src/app/a.ts", "process.exit(1);"],
    ["app reads the name of the system", "src/app/a.ts", "if (process.platform) {}"],
    ["app prints in color", "src/app/a.ts", 'import pc from "picocolors";'],
    ["store writes a file", "src/store/a.ts", "writeFileSync(path, text);"],
    ["store writes with a stream", "src/store/a.ts", "createWriteStream(path);"],
    ["app removes a directory", "src/app/a.ts", "rmdirSync(path);"],
    ["io changes a mode outside of io/durable", "src/io/a.ts", "chmodSync(path, 0o600);"],
    ["a lower app folder imports a higher one", "src/app/session/a.ts", 'import { x } from "../run/x.ts";'],
    [
      "a lower app folder imports a type of a higher one",
      "src/app/hook/a.ts",
      'import type { X } from "../host/x.ts";',
    ],
    ["a lower app folder imports a higher one lazily", "src/app/hook/a.ts", 'await import("../run/x.ts");'],
    ["a file directly in app imports a folder of app", "src/app/a.ts", 'import { x } from "./session/x.ts";'],
    ["a folder of app is not in the order", "src/app/utils/a.ts", ""],
    ["hub imports claude", "src/hub/a.ts", 'import { x } from "../claude/x.ts";'],
    ["hub imports store", "src/hub/a.ts", 'import { x } from "../store/x.ts";'],
    ["hub opens files", "src/hub/a.ts", 'import { openSync } from "node:fs";'],
    ["app connects to a database", "src/app/hub/a.ts", "new Bun.SQL(address);"],
    ["app contains SQL", "src/app/hub/a.ts", "run(sql`SELECT id FROM ai_runtime.subject`);"],
    ["store imports hub", "src/store/a.ts", 'import { x } from "../hub/x.ts";'],
    ["web imports app", "src/web/a.tsx", 'import { x } from "../app/x.ts";'],
    ["web imports a value of core", "src/web/a.tsx", 'import { Failure } from "../core/failure.ts";'],
    ["web makes HTML of a text", "src/web/a.tsx", "element.innerHTML = title;"],
    ["app imports code of the page", "src/app/dashboard/a.ts", 'import { x } from "../../web/x.ts";'],
    ["a room is not in the list", "src/utils/a.ts", ""],
  ];
  test.each(cases)("%s", (_title, path, text) => {
    expect(violations([{ path, text }])).toHaveLength(1);
  });
});

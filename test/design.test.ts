// docs/DESIGN.md maps the source tree: the map must match it.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { appFolders } from "./support/architecture.ts";

const root = join(import.meta.dir, "..");
const design = readFileSync(join(root, "docs/DESIGN.md"), "utf8");

function section(heading: string): string {
  const [text] = design.split(`\n## ${heading}\n`)[1]?.split("\n## ") ?? [];
  if (text === undefined) throw new Error(`docs/DESIGN.md has no section "${heading}"`);
  return text;
}

test("the table of folders lists every folder of src once", () => {
  const inside = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    );
  const listed = [...section("The folders").matchAll(/^\| `(src[^`]*)`/gm)].map(([, folder]) => folder ?? "");
  expect(listed.sort()).toEqual(["src", ...inside].sort());
});

test("the order of the folders of app is the one that the architecture test enforces", () => {
  const [, order = ""] = /<!-- order of app: begin -->([\s\S]*)<!-- order of app: end -->/.exec(design) ?? [];
  expect(order.trim().split(/\s*→\s*/)).toEqual([...appFolders]);
});

test("every path that the design names exists", () => {
  const named = [...design.matchAll(/`((?:src|test|scripts|plugin|app|claude|cli|core|io|store)\/[\w./-]+)`/g)];
  const paths = [...new Set(named.map(([, path = ""]) => path))];
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "src", path)))).toEqual([]);
});

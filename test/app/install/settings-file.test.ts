import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { readSettingsFile, writeSettingsFile } from "../../../src/app/install/settings-file.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

test("does not overwrite a file that another program changed after it was read", () => {
  using world = new HookWorld();
  const environment = currentEnvironment(world.env);
  const path = join(world.home, ".claude/settings.json");
  writeFileSync(path, '{"model":"opus"}');
  const file = readSettingsFile(environment, path);
  writeFileSync(path, '{"model":"sonnet"}');
  const edit = { text: "{}", undo: undefined, undoMeanwhile: undefined };
  expect(() => writeSettingsFile(environment, file, edit)).toThrow("another program just changed");
  expect(readFileSync(path, "utf8")).toBe('{"model":"sonnet"}');
});

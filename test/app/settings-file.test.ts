import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { readSettingsFile, writeSettingsFile } from "../../src/app/settings-file.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

test("a file that somebody else changed in the meantime is left to them", () => {
  using world = new HookWorld();
  const environment = currentEnvironment(world.env);
  const path = join(world.home, ".claude/settings.json");
  writeFileSync(path, '{"model":"opus"}');
  const file = readSettingsFile(environment, path);
  writeFileSync(path, '{"model":"sonnet"}');
  const edit = { text: "{}", undo: undefined, undoMeanwhile: undefined };
  expect(() => writeSettingsFile(environment, file, edit)).toThrow("was changed by another program just now");
  expect(readFileSync(path, "utf8")).toBe('{"model":"sonnet"}');
});

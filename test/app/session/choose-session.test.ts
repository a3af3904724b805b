import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directoryTest } from "../../../src/app/session/choose-session.ts";
import { projectDirectoryName } from "../../../src/claude/paths.ts";

describe("a session belongs to the directory", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "choose-session-")));
  afterAll(() => rmSync(root, { recursive: true }));
  for (const name of ["b/c", "b-c"]) mkdirSync(join(root, name), { recursive: true });
  symlinkSync(join(root, "b-c"), join(root, "link"));
  const here = join(root, "b-c");
  /** `b/c` and `b-c` have the same project directory in Claude's configuration. */
  const transcriptPath = `/home/me/.claude/projects/${projectDirectoryName(here)}/s.jsonl`;

  test.each<[why: string, recorded: string | undefined, belongs: boolean]>([
    ["the hook recorded it", here, true],
    ["the hook recorded a link to it", join(root, "link"), true],
    ["nothing was recorded, and the project's name fits", undefined, true],
    ["Claude changed to a directory below", join(here, "src"), true],
    ["another directory with the same project name was recorded", join(root, "b/c"), false],
  ])("when %s: %p → %p", (_why, recorded, belongs) => {
    expect(directoryTest(here)({ cwd: recorded, transcriptPath })).toBe(belongs);
  });

  test("but not by another project's name", () => {
    const other = { cwd: undefined, transcriptPath: "/home/me/.claude/projects/-other/s.jsonl" };
    expect(directoryTest(here)(other)).toBe(false);
  });
});

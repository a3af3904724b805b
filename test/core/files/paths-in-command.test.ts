import { expect, test } from "bun:test";
import { findOutsidePaths, workspacesMeant } from "../../../src/core/files/paths-in-command.ts";

const rows: [string, string[]][] = [
  ["rm -rf ../other", ["../other"]],
  ["rm -rf build src/*.o", []],
  ["cd ../other && rm -rf x", ["../other"]],
  ["git -C /srv/other checkout .", ["/srv/other"]],
  ["git --work-tree=/srv/other reset --hard", ["/srv/other"]],
  ['rm -rf ~/other "$HOME/more" ~', ["/home/me/other", "/home/me/more", "/home/me"]],
  ["rm -rf ../other/*.ts", ["../other"]],
  ["rm -rf /*", ["/"]],
  ["echo x > /srv/other/file", ["/srv/other/file"]],
  ["bash -c 'rm -rf ../other'", ["../other"]],
  ["bash <<'EOF'\nrm -rf ../other\nEOF", ["../other"]],
  ["rm 'unfinished ../x", []],
];

test.each(rows)("paths that lead outside: %j", (line, paths) => {
  expect(findOutsidePaths(line, "/home/me")).toEqual(paths);
});

test("a path means the workspace around it, and those below it, but not the own one", () => {
  const known = ["/p/own", "/p/other", "/p/other-too", "/q/far"];
  expect(workspacesMeant(["/p/other/src"], known, "/p/own")).toEqual(["/p/other"]);
  expect(workspacesMeant(["/p"], known, "/p/own")).toEqual(["/p/other", "/p/other-too"]);
  expect(workspacesMeant(["/p/own/x", "/usr/bin"], known, "/p/own")).toEqual([]);
});

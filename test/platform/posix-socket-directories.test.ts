import { expect, test } from "bun:test";
import { socketDirectories } from "../../src/platform/posix-socket-directories.ts";

const own = "/home/u/.local/state/ai-runtime/sockets";

test.each([
  [
    "prefers XDG_RUNTIME_DIR, then our own directory",
    "/run/user/7/",
    ["/run/user/7/ai-runtime", own, "/tmp/ai-runtime-7"],
  ],
  ["without XDG_RUNTIME_DIR, uses a directory named after the user id", undefined, ["/tmp/ai-runtime-7", own]],
  ["ignores a relative XDG_RUNTIME_DIR", "run", ["/tmp/ai-runtime-7", own]],
  ["ignores an empty XDG_RUNTIME_DIR", "", ["/tmp/ai-runtime-7", own]],
])("%s", (_, runtime, directories) => {
  expect(socketDirectories({ XDG_RUNTIME_DIR: runtime }, own, 7)).toEqual(directories);
});

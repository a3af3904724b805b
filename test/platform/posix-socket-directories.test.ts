import { expect, test } from "bun:test";
import { socketDirectories } from "../../src/platform/posix-socket-directories.ts";

test.each([
  ["the login's own first", { XDG_RUNTIME_DIR: "/run/user/7/" }, ["/run/user/7/ai-runtime", "/tmp/ai-runtime-7"]],
  ["without one, by the user's number", {}, ["/tmp/ai-runtime-7"]],
  ["a relative one is none", { XDG_RUNTIME_DIR: "run" }, ["/tmp/ai-runtime-7"]],
  ["an empty one is none", { XDG_RUNTIME_DIR: "" }, ["/tmp/ai-runtime-7"]],
])("%s", (_, variables, directories) => {
  expect(socketDirectories(variables, 7)).toEqual(directories);
});

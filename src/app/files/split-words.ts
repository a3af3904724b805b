import { absolutePath } from "../../core/absolute-path.ts";
import { Failure } from "../../core/failure.ts";
import { isSessionId } from "../../core/session-id.ts";
import { type BytePath, bytesOfText } from "../../io/files/byte-path.ts";
import { resolveLinks } from "../../io/files/read-file.ts";
import { listSessionIds } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { matchSession } from "../session/match-session.ts";
import { loadSettings } from "../settings.ts";
import { requireWorkspace } from "./workspace.ts";

/** The words of `[session] [path...]`: the first one is a session when one has that id, or begins with it. */
export function splitWords(
  environment: Environment,
  words: readonly string[],
  directory: string,
): { sessionId: string | undefined; paths: BytePath[] } {
  const [first, ...rest] = words;
  const isId = first !== undefined && isSessionId(first) && first.length >= 4;
  const sessionId = isId ? matchSession(listSessionIds(environment.paths), first) : undefined;
  const paths = sessionId === undefined ? words : rest;
  if (paths.length === 0) return { sessionId, paths: [] };
  const { root } = requireWorkspace(environment, loadSettings(environment).settings, directory);
  const here = resolveLinks(directory);
  return { sessionId, paths: paths.map((path) => below(root, path, here)) };
}

/** The path inside of the workspace. The file itself may be missing, or a link. */
function below(root: string, path: string, here: string): BytePath {
  const full = absolutePath(path, here).replace(/\/+$/, "");
  const parts: string[] = [];
  for (const part of full.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const plain = `/${parts.join("/")}`;
  if (plain === root) return "";
  if (plain.startsWith(`${root}/`)) return bytesOfText(plain.slice(root.length + 1));
  throw new Failure("usage", `${path} is not inside of ${root}`);
}

import { connect } from "node:net";
import { platform } from "../platform/current.ts";
import { listDirectory } from "./read-file.ts";

/** Sockets of ours that nobody answers: their hosts were killed. */
export async function findDeafSockets(variables: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const paths = platform
    .socketDirectories(variables)
    .flatMap((directory) => listDirectory(directory).map((name) => `${directory}/${name}`))
    .filter((path) => path.endsWith(".sock"));
  const answers = await Promise.all(paths.map(isAnswered));
  return paths.filter((_, index) => !answers[index]);
}

/** Only a refusal says that nobody is there: whatever else happens, somebody may be. */
function isAnswered(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on("connect", () => resolve(true));
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  return promise.finally(() => socket.destroy());
}

import { connect } from "node:net";
import { listDirectory } from "../files/read-file.ts";
import { isOwnSocket } from "./own-socket.ts";

/** Our sockets on which no process listens, because their hosts were killed. */
export async function findDeadSockets(directories: readonly string[]): Promise<string[]> {
  const paths = directories
    .flatMap((directory) => listDirectory(directory).map((name) => `${directory}/${name}`))
    .filter((path) => path.endsWith(".sock") && isOwnSocket(path));
  const answers = await Promise.all(paths.map(isAnswered));
  return paths.filter((_, index) => !answers[index]);
}

/** Only a refused connection proves that the host is gone; any other result does not. */
function isAnswered(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on("connect", () => resolve(true));
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  return promise.finally(() => socket.destroy());
}

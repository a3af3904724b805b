import type { Platform } from "./platform.ts";
import { killGroup } from "./posix-kill-group.ts";
import { socketDirectories } from "./posix-socket-directories.ts";

/** What Linux and macOS have in common. */
export const posix = {
  syncsDirectories: true,
  cannotReplaceOpenFiles: false,
  killGroup,
  socketDirectories,
  signals: ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGTSTP", "SIGCONT", "SIGCHLD"],
} satisfies Partial<Platform>;

/** The user at the other end of a connection; undefined when the kernel did not name one. */
export function knownUser(user: number | undefined): number {
  if (user === undefined) throw new Error("cannot determine the user at the other end of the connection");
  return user;
}

import { userInfo } from "node:os";
import { platform } from "../platform/current.ts";

/** Which system this is, for what is written in its own formats. */
export const systemName = platform.name;

export const userId = (): number => process.getuid?.() ?? 0;

/** What new files of the user are not for others. */
export const userMask = (): number => process.umask();

/** As the Task Scheduler wants it. */
export function userName(variables: Record<string, string | undefined>): string {
  const domain = variables["USERDOMAIN"];
  const name = variables["USERNAME"] || variables["USER"] || userInfo().username;
  return domain ? `${domain}\\${name}` : name;
}

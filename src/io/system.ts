import { hostname, userInfo } from "node:os";
import { platform } from "../platform/current.ts";
import type { Variables } from "../core/variables.ts";

/** The operating system, for files in its own formats. */
export const systemName = platform.name;

/** Another text after each start of the machine. Throws when it cannot be known. */
export const bootId = (): string => platform.bootId();

export const userId = (): number => process.getuid?.() ?? 0;

/** The permissions that the user's new files do not get. */
export const userMask = (): number => process.umask();

/** As the Task Scheduler expects it. */
export function userName(variables: Variables): string {
  const domain = variables["USERDOMAIN"];
  const name = variables["USERNAME"] || variables["USER"] || userInfo().username;
  return domain ? `${domain}\\${name}` : name;
}

/** The name that other machines show for this one. */
export const machineName = (): string => hostname();

import type { ServiceOptions } from "./service-options.ts";
import { batchWord, shellWord } from "./service-quote.ts";

/**
 * The script that the system starts. It passes only the service's name, which is safe in every format; ai-runtime reads the
 * rest from the service's record. It sets XDG_STATE_HOME, because a service does not have the user's variables.
 */
export function wrapperText({ system, slug, executable, places, umask }: ServiceOptions): string {
  return system === "windows"
    ? batchWrapper(slug, executable, places.stateHome)
    : shellWrapper(slug, executable, places.stateHome, umask);
}

function shellWrapper(slug: string, executable: string, stateHome: string, umask: number): string {
  return `#!/bin/sh
# Written by ai-runtime service install; ai-runtime service uninstall removes it.
XDG_STATE_HOME=${shellWord(stateHome, "the state directory")}
export XDG_STATE_HOME
unset BUN_OPTIONS BUN_BE_BUN
umask ${umask.toString(8).padStart(4, "0")}
exec ${shellWord(executable, "the path of ai-runtime")} service run ${slug}
`;
}

// `chcp 65001` makes cmd read non-ASCII paths as UTF-8. `exit` passes on the exit code.
function batchWrapper(slug: string, executable: string, stateHome: string): string {
  const lines = [
    "@echo off",
    "rem Written by ai-runtime service install; ai-runtime service uninstall removes it.",
    "chcp 65001 >nul",
    `set ${batchWord(`XDG_STATE_HOME=${stateHome}`, "the state directory")}`,
    "set BUN_OPTIONS=",
    "set BUN_BE_BUN=",
    `${batchWord(executable, "the path of ai-runtime")} service run ${slug}`,
    "exit /b %ERRORLEVEL%",
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

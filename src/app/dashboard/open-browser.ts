import { browserCommand } from "../../core/dashboard/browser-command.ts";
import { findExecutable } from "../../io/files/find-executable.ts";
import { startDetached } from "../../io/process/start-detached.ts";
import { systemName } from "../../io/system.ts";
import type { Environment } from "../environment.ts";

/** Opens an address in the user's browser. Returns false where there is no desktop, or no program for it. */
export function openBrowser({ variables, home }: Environment, address: string): boolean {
  if (systemName === "linux" && !variables["DISPLAY"] && !variables["WAYLAND_DISPLAY"]) return false;
  const [program, ...words] = browserCommand(systemName, address);
  const path = findExecutable([program, `${program}.exe`], variables["PATH"] ?? "", "");
  if (path === undefined) return false;
  void startDetached([path, ...words], variables, home);
  return true;
}

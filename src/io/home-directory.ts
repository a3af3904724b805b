import { homedir } from "node:os";

/** The environment first: a service or a test may have a home of its own. */
export const homeDirectory = (variables: Record<string, string | undefined>): string =>
  variables["HOME"] || variables["USERPROFILE"] || homedir();

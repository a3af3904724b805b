import type { Variables } from "../../core/variables.ts";

/** HOME first: a service or a test may have its own. The module is loaded only when it is needed. */
export const homeDirectory = (variables: Variables): string =>
  variables["HOME"] || variables["USERPROFILE"] || process.getBuiltinModule("node:os").homedir();

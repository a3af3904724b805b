/** The environment first: a service or a test may have a home of its own. The module is loaded only if it is needed. */
export const homeDirectory = (variables: Record<string, string | undefined>): string =>
  variables["HOME"] || variables["USERPROFILE"] || process.getBuiltinModule("node:os").homedir();

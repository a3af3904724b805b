import { joinArguments, type Segment, splitArguments } from "./flags.ts";

/** The arguments that the next attempt keeps: all except those that select a session or carry a prompt. */
export function keptArguments(argv: readonly string[]): string[] {
  return joinArguments(splitArguments(argv).flatMap(keep));
}

/** Replaces every flag that sets the permission mode, and keeps the others. */
export function withPermissionMode(argv: readonly string[], mode: string | undefined): string[] {
  if (mode === undefined) return [...argv];
  const others = splitArguments(argv).filter((segment) => segment.kind !== "flag" || !setsMode.has(segment.flag.name));
  return ["--permission-mode", mode, ...joinArguments(others)];
}

const setsMode = new Set(["permission-mode", "dangerously-skip-permissions"]);

/**
 * The command line that resumes a session. Session and prompt come first, because a variadic flag at the end of the user's
 * arguments would take them as values, and claude takes the first word that belongs to no flag as the prompt.
 */
export function restartArguments(
  argv: readonly string[],
  session: { readonly id: string; readonly prompt: string | undefined },
): string[] {
  const prompt = session.prompt === undefined ? [] : [session.prompt];
  return ["--resume", session.id, ...prompt, ...keptArguments(argv)];
}

/** The command line that starts a new conversation under this id. A dash at the start would make the prompt a flag. */
export const startArguments = (
  argv: readonly string[],
  session: { readonly id: string; readonly prompt: string },
): string[] => ["--session-id", session.id, session.prompt.replace(/^-/, " -"), ...keptArguments(argv)];

/** The command line that continues the newest conversation of the directory. */
export const continueArguments = (argv: readonly string[], prompt: string | undefined): string[] => [
  "--continue",
  ...(prompt === undefined ? [] : [prompt]),
  ...keptArguments(argv),
];

function keep(segment: Segment): Segment[] {
  switch (segment.kind) {
    case "flag":
      return segment.flag.restart === "drop" ? [] : [segment];
    case "cluster":
      return segment.members.flatMap(keep);
    case "unknown":
      return [segment];
    case "prompt":
    case "operands":
    case "subcommand":
      return [];
  }
}

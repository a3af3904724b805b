import { joinArguments, type Segment, splitArguments } from "./flags.ts";

/** What of a command line holds for the next start as well: all but what chooses a session or carries a prompt. */
export function keptArguments(argv: readonly string[]): string[] {
  return joinArguments(splitArguments(argv).flatMap(keep));
}

/**
 * The command line that goes on with a session. Session and prompt come first: a variadic flag at the end of the user's own
 * would swallow them, and claude takes the first word that belongs to no flag for the prompt.
 */
export function restartArguments(
  argv: readonly string[],
  session: { readonly id: string; readonly prompt: string | undefined },
): string[] {
  const prompt = session.prompt === undefined ? [] : [session.prompt];
  return ["--resume", session.id, ...prompt, ...keptArguments(argv)];
}

/** The command line that goes on with the newest conversation of the directory. */
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

import { flagsOf, joinArguments, type Segment } from "./flags.ts";

/** The value of every `--settings` on a command line. With two of them, the client's version decides which one counts. */
export function settingsArguments(segments: readonly Segment[]): string[] {
  return flagsOf(segments)
    .filter(({ flag }) => flag.name === "settings")
    .map(({ values }) => values[0] ?? "");
}

/** Replaces the `--settings` of a command line, or adds it in front. */
export function replaceSettings(segments: readonly Segment[], settings: string): string[] {
  const at = segments.findIndex((segment) => segment.kind === "flag" && segment.flag.name === "settings");
  if (at < 0) return ["--settings", settings, ...joinArguments(segments)];
  return [...joinArguments(segments.slice(0, at)), "--settings", settings, ...joinArguments(segments.slice(at + 1))];
}

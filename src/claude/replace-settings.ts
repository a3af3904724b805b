import { flagsOf, joinArguments, type Segment } from "./flags.ts";

/** The words of every `--settings` on a command line. Given twice, the versions disagree on which one holds. */
export function settingsArguments(segments: readonly Segment[]): string[] {
  return flagsOf(segments)
    .filter(({ flag }) => flag.name === "settings")
    .map(({ values }) => values[0] ?? "");
}

/** The same command line with these settings in the place of its own, or, where it has none, in front. */
export function withSettings(segments: readonly Segment[], settings: string): string[] {
  const at = segments.findIndex((segment) => segment.kind === "flag" && segment.flag.name === "settings");
  if (at < 0) return ["--settings", settings, ...joinArguments(segments)];
  return [...joinArguments(segments.slice(0, at)), "--settings", settings, ...joinArguments(segments.slice(at + 1))];
}

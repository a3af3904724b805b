import { flagsOf, joinArguments, type Segment, splitArguments } from "./flags.ts";
import { permissionModeOf } from "./run-arguments.ts";

/** What a run may do without asking. A worker takes only runs up to its own grant. */
export const grants = ["default", "acceptEdits", "bypassPermissions"] as const;
export type Grant = (typeof grants)[number];

export const rankOf = (grant: Grant): number => grants.indexOf(grant);

export const readGrant = (text: string): Grant | undefined => grants.find((grant) => grant === text);

/** Flags without files or programs of the machine on which the run was queued. */
const portable = new Set(
  `model fallback-model effort permission-mode dangerously-skip-permissions append-system-prompt max-turns max-budget-usd
  max-thinking-tokens disallowedTools allowedTools json-schema verbose print`.split(/\s+/),
);

/** The first flag that a run of the fleet cannot have; undefined when all are allowed. */
export function unfitFlag(flags: readonly string[]): string | undefined {
  const unfit = splitArguments(flags).find(
    (segment) => segment.kind !== "flag" || !portable.has(segment.flag.name) || segment.words.includes("--"),
  );
  return unfit?.words[0];
}

/** What these flags allow. Tools that are allowed by name count like everything. */
export function grantOf(flags: readonly string[]): Grant {
  const segments = splitArguments(flags);
  if (flagsOf(segments).some(({ flag }) => flag.name === "allowedTools")) return "bypassPermissions";
  const mode = permissionModeOf(segments);
  if (mode === null || mode === "default" || mode === "plan") return "default";
  // A mode that this version does not know may allow anything.
  return mode === "acceptEdits" ? mode : "bypassPermissions";
}

/** With a mode of its own, so that the settings of a repository cannot choose another one. */
export function withOwnMode(flags: readonly string[]): string[] {
  const segments: Segment[] = splitArguments(flags);
  return permissionModeOf(segments) === null
    ? [...joinArguments(segments), "--permission-mode", "default"]
    : [...joinArguments(segments)];
}

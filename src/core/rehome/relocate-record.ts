import { movedPath, type Relocation } from "./moved-path.ts";

/** The fields with paths in our records. A field of a field is written with a dot. */
const pathFields = {
  /** `snapshots/{id}.state.json`, also of a past generation. */
  snapshot: ["cwd", "transcriptPath"],
  /** `snapshots/latest.json` */
  latest: ["jsonlPath"],
  /** `trees/{workspace}/marks.json` */
  tree: ["workspace"],
  /** `checkpoint.json`, and the newest checkpoint of all directories. */
  checkpoint: ["where.directory"],
  /** `runs/active/{id}.json`, `runs/ended/{id}.json` */
  run: ["plan.cwd", "plan.directory", "plan.claude", "plan.claudeConfig"],
  /** `hosts/{id}.json` */
  host: ["plan.directory", "session.transcriptPath"],
  /** `services/{slug}.json` */
  service: ["workspace"],
} as const satisfies Record<string, readonly string[]>;

/** `checkpoint-text` is the checkpoint as Markdown. */
export type RecordKind = keyof typeof pathFields | "checkpoint-text";

export const recordKinds: readonly string[] = [...Object.keys(pathFields), "checkpoint-text"];

/**
 * The record with its paths after the moves, of which the first that fits a path counts. Every other byte stays, because our
 * writers and this function print JSON in the same way. Undefined when the text is not such a record.
 */
export function relocateRecord(kind: RecordKind, text: string, moves: readonly Relocation[]): string | undefined {
  if (kind === "checkpoint-text") return relocateText(text, moves);
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(record)) return undefined;
  for (const field of pathFields[kind]) relocateField(record, field.split("."), moves);
  const indent = text.startsWith("{\n") ? 2 : undefined;
  return JSON.stringify(record, null, indent) + (text.endsWith("\n") ? "\n" : "");
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function relocateField(record: Fields, [name = "", ...rest]: readonly string[], moves: readonly Relocation[]): void {
  const value = record[name];
  if (rest.length > 0) {
    if (isObject(value)) relocateField(value, rest, moves);
  } else if (typeof value === "string") record[name] = relocatePath(value, moves);
}

const relocatePath = (path: string, moves: readonly Relocation[]): string =>
  moves.map((move) => movedPath(path, move)).find((moved) => moved !== undefined) ?? path;

function relocateText(text: string, moves: readonly Relocation[]): string {
  const escape = (path: string): string => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return moves.reduce(
    (result, { from, to }) => result.replace(new RegExp(`${escape(from)}(?![^\\s/\\\\\`"'),;:])`, "g"), () => to),
    text,
  );
}

import type { Words } from "../core/checkpoint/checkpoint-save.ts";
import { asObject } from "./json-object.ts";

export type ReadWords =
  | { readonly kind: "valid"; readonly words: Words }
  /** `why` continues a sentence about the text: "it is not JSON". */
  | { readonly kind: "invalid"; readonly why: string };

/** Reads the JSON that a script or Claude passes to `checkpoint save`. */
export function readCheckpointWords(text: string): ReadWords {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid("it is not JSON");
  }
  const fields = asObject(value);
  if (!fields) return invalid("it is not an object");
  const { where, ...rest } = fields;
  const all: Record<string, unknown> = { ...asObject(where), ...rest };
  const unknown = Object.keys(all).find((key) => !(key in shapes));
  if (unknown !== undefined) return invalid(`it has "${unknown}"; known are ${Object.keys(shapes).join(", ")}`);
  for (const [key, item] of Object.entries(all)) {
    const shape = shapes[key as keyof typeof shapes];
    if (!shape.fits(item)) return invalid(`"${key}" must be ${shape.name}`);
  }
  const { done, files, pr, ...others } = all;
  const words = {
    ...(others as Words),
    ...(done === undefined ? {} : { done: [done].flat() as string[] }),
    ...(files === undefined ? {} : { files: [files].flat() as string[] }),
    ...(pr === undefined ? {} : { pullRequest: pr as string | null }),
  };
  return { kind: "valid", words };
}

const invalid = (why: string): ReadWords => ({ kind: "invalid", why });

const isText = (value: unknown): boolean => typeof value === "string";
const textOrNull = { name: "a text or null", fits: (value: unknown): boolean => value === null || isText(value) };
const list = { name: "a list of texts", fits: (value: unknown): boolean => [value].flat().every(isText) };
const shapes = {
  goal: textOrNull,
  done: list,
  next: textOrNull,
  blocker: textOrNull,
  files: list,
  pr: textOrNull,
  issue: textOrNull,
  finished: { name: "true or false", fits: (value: unknown): boolean => typeof value === "boolean" },
} as const;

import type { Words } from "../core/checkpoint-save.ts";
import { asObject } from "./json-object.ts";

/** The words of a save, as a script or Claude gives them in JSON; a sentence when they are not usable. */
export function readCheckpointWords(text: string): Words | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const fields = asObject(value);
  if (!fields) return "it is not an object";
  const { where, ...rest } = fields;
  const all: Record<string, unknown> = { ...asObject(where), ...rest };
  const unknown = Object.keys(all).find((key) => !(key in shapes));
  if (unknown !== undefined) return `it has "${unknown}"; known are ${Object.keys(shapes).join(", ")}`;
  for (const [key, item] of Object.entries(all)) {
    const shape = shapes[key as keyof typeof shapes];
    if (!shape.fits(item)) return `"${key}" must be ${shape.name}`;
  }
  const { done, files, pr, ...words } = all;
  return {
    ...(words as Words),
    ...(done === undefined ? {} : { done: [done].flat() as string[] }),
    ...(files === undefined ? {} : { files: [files].flat() as string[] }),
    ...(pr === undefined ? {} : { pullRequest: pr as string | null }),
  };
}

const isText = (value: unknown): boolean => typeof value === "string";
const words = { name: "a text or null", fits: (value: unknown): boolean => value === null || isText(value) };
const list = { name: "a list of texts", fits: (value: unknown): boolean => [value].flat().every(isText) };
const shapes = {
  goal: words,
  done: list,
  next: words,
  blocker: words,
  files: list,
  pr: words,
  issue: words,
  finished: { name: "true or false", fits: (value: unknown): boolean => typeof value === "boolean" },
} as const;

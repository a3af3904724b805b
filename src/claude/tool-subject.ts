import { asText, type JsonObject } from "./json-object.ts";

const subjects = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "path",
  "url",
  "query",
  "skill",
  "subject",
  "description",
  "prompt",
];
const writers = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** What a tool call is about, in its own words; undefined when it is about nothing in particular. */
export function toolSubject(input: JsonObject): string | undefined {
  return subjects.map((key) => asText(input[key])).find((value) => value !== undefined);
}

/** The file that a call writes. */
export function writtenFile(name: string, input: JsonObject): string | undefined {
  return writers.has(name) ? (asText(input["file_path"]) ?? asText(input["notebook_path"])) : undefined;
}

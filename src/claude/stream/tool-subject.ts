import { asText, type JsonObject } from "../json-object.ts";

/** Input fields, the most descriptive first. */
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
const writingTools = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** The input field that best describes a tool call; undefined when it has none of them. */
export function toolSubject(input: JsonObject): string | undefined {
  return subjects.map((key) => asText(input[key])).find((value) => value !== undefined);
}

/** The file that a tool call writes. */
export function writtenFile(name: string, input: JsonObject): string | undefined {
  return writingTools.has(name) ? (asText(input["file_path"]) ?? asText(input["notebook_path"])) : undefined;
}

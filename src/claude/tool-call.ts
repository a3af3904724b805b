import { type Limits, cutText } from "./cut-text.ts";
import { fence, inlineCode } from "./fence.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";
import { plainText } from "./plain-text.ts";

export interface ToolCallText {
  /** One line: the tool, and what it is about. */
  title: string;
  /** Fenced, or short; none when the title says it all. */
  body: string | undefined;
}

const subjects = ["file_path", "notebook_path", "pattern", "path", "url", "query", "skill", "subject"];
const titleLength = 100;

export function describeToolCall(name: string, input: JsonObject, limits: Limits): ToolCallText {
  const description = asText(input["description"]);
  const subject = subjects.find((key) => asText(input[key]) !== undefined);
  const about =
    description === undefined
      ? subject === undefined
        ? ""
        : ` ${inlineCode(oneLine(String(input[subject])))}`
      : ` — ${oneLine(description)}`;
  const shown = description === undefined ? subject : "description";
  const rest = Object.fromEntries(Object.entries(input).filter(([key, value]) => key !== shown && !isDefault(value)));
  return { title: `**${oneLine(name)}**${about}`, body: describeInput(rest, limits) };
}

// A switch that is off says nothing that its absence would not.
const isDefault = (value: unknown): boolean => value === false || value === null || value === "";

function describeInput(input: JsonObject, limits: Limits): string | undefined {
  const { command, old_string: before, new_string: after, content, prompt, todos, ...more } = input;
  const block = (text: string, language = ""): string => fence(cutText(plainText(text), limits), language);
  const known: (string | undefined)[] = [
    typeof command === "string" ? block(command, "sh") : undefined,
    typeof before === "string" || typeof after === "string"
      ? block(`${prefixed("-", before)}${prefixed("+", after)}`, "diff")
      : undefined,
    typeof content === "string" ? block(content) : undefined,
    typeof prompt === "string" ? block(prompt) : undefined,
    Array.isArray(todos) ? block(todos.map(describeTodo).join("\n")) : undefined,
  ];
  const plain = known.filter((each) => each !== undefined);
  const small = describeSmall(more);
  if (small !== undefined) plain.push(small);
  else if (Object.keys(more).length > 0) plain.push(block(JSON.stringify(more, null, 2), "json"));
  return plain.length > 0 ? plain.join("\n") : undefined;
}

/** A few numbers and words need no block of their own. */
function describeSmall(input: JsonObject): string | undefined {
  const fields = Object.entries(input);
  if (fields.length === 0 || fields.some(([, value]) => typeof value === "object")) return undefined;
  const line = fields.map(([key, value]) => `${key}: ${String(value)}`).join(", ");
  return line.length <= titleLength && !/[\n\r]/.test(line) ? inlineCode(oneLine(line)) : undefined;
}

function prefixed(mark: "-" | "+", text: unknown): string {
  if (typeof text !== "string" || text === "") return "";
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("");
}

function describeTodo(value: unknown): string {
  const todo = asObject(value);
  const box = { completed: "x", in_progress: "~" }[String(todo?.["status"])] ?? " ";
  return `[${box}] ${oneLine(asText(todo?.["content"]) ?? "")}`;
}

function oneLine(text: string): string {
  const flat = plainText(text).replace(/\s+/g, " ").trim();
  const characters = [...flat];
  return characters.length <= titleLength ? flat : `${characters.slice(0, titleLength - 1).join("")}…`;
}

import { type TextLimits, cutText } from "./cut-text.ts";
import { fence, inlineCode } from "./fence.ts";
import { asObject, asText, type JsonObject } from "../json-object.ts";
import { plainText } from "../transcript/plain-text.ts";

export interface ToolCallText {
  /** One line: the tool and its subject. */
  title: string;
  /** A fenced block or a short line; undefined when the title contains everything. */
  body: string | undefined;
}

const subjects = ["file_path", "notebook_path", "pattern", "path", "url", "query", "skill", "subject"];
const maxTitleLength = 100;

export function describeToolCall(name: string, input: JsonObject, limits: TextLimits): ToolCallText {
  const description = asText(input["description"]);
  const subject = subjects.find((key) => asText(input[key]) !== undefined);
  const about =
    description === undefined
      ? subject === undefined
        ? ""
        : ` ${inlineCode(shortLine(String(input[subject])))}`
      : ` — ${shortLine(description)}`;
  const shown = description === undefined ? subject : "description";
  const rest = Object.fromEntries(Object.entries(input).filter(([key, value]) => key !== shown && !isDefault(value)));
  return { title: `**${shortLine(name)}**${about}`, body: describeInput(rest, limits) };
}

// Equal to leaving the option out.
const isDefault = (value: unknown): boolean => value === false || value === null || value === "";

function describeInput(input: JsonObject, limits: TextLimits): string | undefined {
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

/** A few short values fit on one line. */
function describeSmall(input: JsonObject): string | undefined {
  const fields = Object.entries(input);
  if (fields.length === 0 || fields.some(([, value]) => typeof value === "object")) return undefined;
  const line = fields.map(([key, value]) => `${key}: ${String(value)}`).join(", ");
  return line.length <= maxTitleLength && !/[\n\r]/.test(line) ? inlineCode(shortLine(line)) : undefined;
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
  return `[${box}] ${shortLine(asText(todo?.["content"]) ?? "")}`;
}

function shortLine(text: string): string {
  const flat = plainText(text).replace(/\s+/g, " ").trim();
  const characters = [...flat];
  return characters.length <= maxTitleLength ? flat : `${characters.slice(0, maxTitleLength - 1).join("")}…`;
}

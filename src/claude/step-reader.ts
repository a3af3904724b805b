import { asObject, asText, type JsonObject } from "./json-object.ts";
import type { StreamEvent } from "./stream.ts";

const marker = /<!--\s*CHECKPOINT:\s*([\s\S]*?)\s*-->/g;

/** What a run asks Claude for: one marker behind each finished step. */
export const stepInstructions = `This is an unattended run under ai-runtime: it may be interrupted at any moment and is then continued from where it stood.
Whenever you have finished a step of the task, write on a line of its own: <!-- CHECKPOINT: what is finished now, in a few words -->
Write one only for what is really done and verified, never ahead of it, and do not speak of these markers. Nobody is there to answer questions: decide sensibly and go on until the task is done.`;

/** Claude's words without our markers. */
export const withoutMarkers = (text: string): string =>
  text
    .replace(marker, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** Finds the finished steps in a stream: by markers, else, as long as there was none, by Claude's own task list. */
export class StepReader {
  readonly #known: Set<string>;
  #marked: boolean;
  readonly #tasks = new Map<string, string>();
  readonly #calls = new Map<string, JsonObject>();

  /** `known`: the steps before this start; told again, they are not new. */
  constructor(known: Iterable<string> = [], marked = false) {
    this.#known = new Set(known);
    this.#marked = marked;
  }

  read(event: StreamEvent): string[] {
    if (event.kind === "text" && !event.aside) {
      const found = [...event.text.matchAll(marker)].map((match) => match[1] ?? "");
      if (found.length > 0) this.#marked = true;
      return this.#fresh(found);
    }
    if (event.kind === "tool" && !event.aside) return this.#fresh(this.#marked ? [] : this.#readCall(event));
    if (event.kind === "tool-result") this.#noteResult(event);
    return [];
  }

  #fresh(steps: readonly string[]): string[] {
    const fresh = steps.map(flat).filter((step) => step !== "" && !this.#known.has(step));
    for (const step of fresh) this.#known.add(step);
    return fresh;
  }

  #readCall({ name, id, input }: Extract<StreamEvent, { kind: "tool" }>): string[] {
    if (name === "TodoWrite") return completedTodos(input["todos"]);
    if (name === "TaskCreate") this.#calls.set(id, input);
    if (name !== "TaskUpdate" || input["status"] !== "completed") return [];
    const task = asText(input["taskId"]) ?? "";
    return [asText(input["subject"]) ?? this.#tasks.get(task) ?? ""];
  }

  /** A task gets its number only by the answer. */
  #noteResult({ id, details }: Extract<StreamEvent, { kind: "tool-result" }>): void {
    const subject = asText(this.#calls.get(id)?.["subject"]);
    const task = asText(asObject(asObject(details)?.["task"])?.["id"]);
    if (subject !== undefined && task !== undefined) this.#tasks.set(task, subject);
    this.#calls.delete(id);
  }
}

const longest = 200;
const flat = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, longest);

function completedTodos(todos: unknown): string[] {
  return (Array.isArray(todos) ? todos : []).flatMap((todo) => {
    const fields = asObject(todo);
    return fields?.["status"] === "completed" ? [asText(fields["content"]) ?? ""] : [];
  });
}

/** The last sentence, for when Claude marks nothing: better than no word on where it stands. */
export function lastSentence(text: string): string | undefined {
  const line = withoutMarkers(text)
    .split("\n")
    .map((each) => each.trim())
    .findLast((each) => each !== "");
  return line === undefined ? undefined : flat(/[^.!?]+[.!?]*\s*$/.exec(line)?.[0] ?? line);
}

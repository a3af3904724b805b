import { asObject, asText } from "./json-object.ts";
import type { StreamEvent } from "./stream.ts";

// Bounded, and without two quantifiers that can share: a text that begins a thousand and ends none costs no time.
const marker = /<!--\s{0,20}CHECKPOINT:([\s\S]{0,2000}?)-->/g;

/** What a run asks Claude for: one marker behind each finished step. */
export const stepInstructions = `This is an unattended run under ai-runtime: it may be interrupted at any moment and is then continued from where it stood.
Whenever you have finished a step of the task, write on a line of its own: <!-- CHECKPOINT: what is finished now, in a few words -->
Write one only for what is really done and verified, never ahead of it, and do not speak of these markers. Nobody is there to answer questions: decide sensibly and go on until the task is done.`;

/** Claude's words without our markers. */
export const withoutMarkers = (text: string): string =>
  text
    .replace(marker, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

type Call = Extract<StreamEvent, { kind: "tool" }>;
const listTools = new Set(["TodoWrite", "TaskCreate", "TaskUpdate"]);

/** Finds the finished steps in a stream: by markers, else, as long as there was none, by Claude's own task list. */
export class StepReader {
  readonly #known: Set<string>;
  #marked: boolean;
  readonly #tasks = new Map<string, string>();
  readonly #calls = new Map<string, Call>();

  /** `known`: the steps before this start; told again, they are not new. */
  constructor(known: Iterable<string> = [], marked = false) {
    this.#known = new Set(known);
    this.#marked = marked;
  }

  /** Claude marks its steps: from then on its task list does not count. */
  get isMarked(): boolean {
    return this.#marked;
  }

  read(event: StreamEvent): string[] {
    if (event.kind === "text" && !event.aside) {
      const found = [...event.text.matchAll(marker)].map((match) => match[1] ?? "");
      if (found.length > 0) this.#marked = true;
      return this.#fresh(found);
    }
    if (event.kind === "tool" && !event.aside && listTools.has(event.name)) this.#calls.set(event.id, event);
    return event.kind === "tool-result" ? this.#readResult(event) : [];
  }

  #fresh(steps: readonly string[]): string[] {
    const fresh = [...new Set(steps.map(flat))].filter((step) => step !== "" && !this.#known.has(step));
    for (const step of fresh) this.#known.add(step);
    return fresh;
  }

  /** A call counts when it was answered well: which of these tools there are differs by version, and a model calls the others too. */
  #readResult({ id, failed, details }: Extract<StreamEvent, { kind: "tool-result" }>): string[] {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (!call || failed) return [];
    const finished = this.#finishedBy(call, details);
    return this.#marked ? [] : this.#fresh(finished);
  }

  #finishedBy({ name, input }: Call, details: unknown): string[] {
    if (name === "TodoWrite") return completedTodos(input["todos"]);
    const subject = asText(input["subject"]);
    // A task gets its number only by the answer.
    const task = asText(input["taskId"]) ?? asText(asObject(asObject(details)?.["task"])?.["id"]) ?? "";
    if (subject !== undefined) this.#tasks.set(task, subject);
    return name === "TaskUpdate" && input["status"] === "completed" ? [this.#tasks.get(task) ?? ""] : [];
  }
}

const longest = 200;
const flat = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, longest).toWellFormed();

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
  if (line === undefined) return undefined;
  // A line may be a file: no sentence is that long.
  const end = line.slice(-5 * longest).toWellFormed();
  return flat(/[^.!?]+[.!?]*$/.exec(end)?.[0] ?? end);
}

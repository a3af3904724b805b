import { asObject, asText } from "../json-object.ts";
import type { StreamEvent } from "./stream.ts";

// Bounded, and no two quantifiers can match the same text, so that a thousand unclosed markers cost no time.
const marker = /<!--\s{0,20}CHECKPOINT:([\s\S]{0,2000}?)-->/g;

/** The marker of a finished step, as Claude writes it. */
export const stepMarker = (step: string): string => `<!-- CHECKPOINT: ${step} -->`;

/** Added to the system prompt of a run: Claude writes one marker after each finished step. */
export const stepInstructions = `This is an unattended run under ai-runtime: it may be interrupted at any moment and is then continued where it stopped.
Whenever you have finished a step of the task, write on a line of its own: ${stepMarker("what is finished now, in a few words")}
Write one only for what is really done and verified, never ahead of it, and do not mention these markers. No user is available to answer questions: decide sensibly and continue until the task is done.`;

/** Claude's text without our markers. */
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

/** Finds finished steps in a stream: in markers, or, until the first marker, in Claude's own task list. */
export class StepReader {
  readonly #known: Set<string>;
  #marked: boolean;
  readonly #tasks = new Map<string, string>();
  readonly #calls = new Map<string, Call>();

  /** `known`: steps of earlier attempts, which are not reported again. */
  constructor(known: Iterable<string> = [], marked = false) {
    this.#known = new Set(known);
    this.#marked = marked;
  }

  /** Claude has written a marker, so its task list no longer counts. */
  get isMarked(): boolean {
    return this.#marked;
  }

  read(event: StreamEvent): string[] {
    if (event.kind === "text" && !event.bySubagent) {
      const found = [...event.text.matchAll(marker)].map((match) => match[1] ?? "");
      if (found.length > 0) this.#marked = true;
      return this.#fresh(found);
    }
    if (event.kind === "tool" && !event.bySubagent && listTools.has(event.name)) this.#calls.set(event.id, event);
    return event.kind === "tool-result" ? this.#readResult(event) : [];
  }

  #fresh(steps: readonly string[]): string[] {
    const fresh = [...new Set(steps.map(flat))].filter((step) => step !== "" && !this.#known.has(step));
    for (const step of fresh) this.#known.add(step);
    return fresh;
  }

  /** Only a successful call counts: the tools differ by version, and the model also calls tools that do not exist. */
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
    // Only the result of TaskCreate names the new task's id.
    const task = asText(input["taskId"]) ?? asText(asObject(asObject(details)?.["task"])?.["id"]) ?? "";
    if (subject !== undefined) this.#tasks.set(task, subject);
    return name === "TaskUpdate" && input["status"] === "completed" ? [this.#tasks.get(task) ?? ""] : [];
  }
}

const maxStepLength = 200;
const flat = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, maxStepLength).toWellFormed();

function completedTodos(todos: unknown): string[] {
  return (Array.isArray(todos) ? todos : []).flatMap((todo) => {
    const fields = asObject(todo);
    return fields?.["status"] === "completed" ? [asText(fields["content"]) ?? ""] : [];
  });
}

/** The last sentence of a text, as the state of the work when Claude writes no markers. */
export function lastSentence(text: string): string | undefined {
  const line = withoutMarkers(text)
    .split("\n")
    .map((each) => each.trim())
    .findLast((each) => each !== "");
  if (line === undefined) return undefined;
  // A line can be as long as a file; no sentence is.
  const end = line.slice(-5 * maxStepLength).toWellFormed();
  return flat(/[^.!?]+[.!?]*$/.exec(end)?.[0] ?? end);
}

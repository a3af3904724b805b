import type { Task } from "../../core/checkpoint/checkpoint.ts";
import type { Evidence } from "../../core/checkpoint/checkpoint-merge.ts";
import type { HookPayload } from "./hook-payload.ts";
import { asObject, asText, type JsonObject } from "../json-object.ts";

/** What a hook call tells about the progress of the work. */
export interface Milestone {
  evidence: Evidence[];
  /** `changed`: a command may have changed the repository. `look`: a turn begins or ends, so the repository is read. */
  git: "changed" | "look" | "no";
}

/** Undefined when the payload says nothing about progress, as most do. */
export function readMilestone(payload: HookPayload): Milestone | undefined {
  // A subagent's prompts, answers and task lists are not the session's. The files it edits are.
  const bySubagent = payload.agentId !== undefined;
  const { checkpoint } = payload.handling;
  if (checkpoint === "tool-call") return readToolCall(payload, bySubagent);
  if (bySubagent) return undefined;
  const message = payload.lastAssistantMessage ?? null;
  switch (checkpoint) {
    case "prompt": {
      const prompt = asText(payload.fields["prompt"]);
      return prompt === undefined ? undefined : look({ kind: "prompt", text: prompt });
    }
    case "answer":
      return look({ kind: "answer", message });
    case "failure":
      return look({ kind: "failure", error: payload.error ?? "unknown", message });
    case "git":
      return look();
    case "show":
    case "none":
      return undefined;
  }
}

const look = (...evidence: Evidence[]): Milestone => ({ evidence, git: "look" });

/** The command line of a Bash call; undefined for other tools. */
export const readBashCommand = ({ fields }: HookPayload): string | undefined =>
  fields["tool_name"] === "Bash" ? asText(asObject(fields["tool_input"])?.["command"]) : undefined;

function readToolCall(payload: HookPayload, bySubagent: boolean): Milestone | undefined {
  const command = readBashCommand(payload);
  const evidence = toolEvidence(payload, bySubagent);
  const git = command !== undefined && gitCommand.test(command) ? "changed" : "no";
  return evidence.length > 0 || git === "changed" ? { evidence, git } : undefined;
}

function toolEvidence({ fields }: HookPayload, bySubagent: boolean): Evidence[] {
  const input = asObject(fields["tool_input"]) ?? {};
  switch (fields["tool_name"]) {
    case "Edit":
    case "MultiEdit":
    case "Write":
      return editOf(input["file_path"]);
    case "NotebookEdit":
      return editOf(input["notebook_path"]);
    case "Bash":
      return readCommand(asText(input["command"]) ?? "", asObject(fields["tool_response"]));
    case "TodoWrite":
      return bySubagent ? [] : [{ kind: "tasks", tasks: readTodos(input["todos"]) }];
    case "TaskCreate":
      return bySubagent ? [] : createdTask(input, asObject(fields["tool_response"]));
    case "TaskUpdate":
      return bySubagent ? [] : updatedTask(input);
    default:
      return [];
  }
}

const editOf = (path: unknown): Evidence[] => (typeof path === "string" ? [{ kind: "edit", file: path }] : []);

const gitCommand = /\bgit\b[^|;&\n]*\s(commit|push|switch|checkout|merge|rebase|cherry-pick|revert)(?![\w-])/;

/** Reads pushes and pull requests from a command's output. Commits are read from git's log instead. */
function readCommand(command: string, response: JsonObject | undefined): Evidence[] {
  const evidence: Evidence[] = [];
  const output = `${asText(response?.["stdout"]) ?? ""}\n${asText(response?.["stderr"]) ?? ""}`;
  const pushed = /\bgit\b[^|;&\n]*\spush\b/.test(command)
    ? /^\s*(?:\*?\s*\[new branch\]|[0-9a-f]+\.\.\.?[0-9a-f]+)\s+(\S+)\s+->\s+(\S+)/m.exec(output)
    : null;
  if (pushed) evidence.push({ kind: "done", text: `Pushed ${pushed[2]}` });
  const url = /\bgh\s+pr\s+create\b/.test(command) ? /^https:\/\/\S+\/pull\/\d+$/m.exec(output)?.[0] : undefined;
  if (url !== undefined) evidence.push({ kind: "pull-request", url }, { kind: "done", text: `Opened ${url}` });
  return evidence;
}

function readTodos(todos: unknown): Task[] {
  return (Array.isArray(todos) ? todos : []).flatMap((todo, index) => {
    const fields = asObject(todo);
    const subject = asText(fields?.["content"]);
    const status = statusOf(fields?.["status"]);
    return subject !== undefined && status !== undefined && status !== "deleted"
      ? [{ id: String(index + 1), subject, status }]
      : [];
  });
}

function createdTask(input: JsonObject, response: JsonObject | undefined): Evidence[] {
  const id = asText(asObject(response?.["task"])?.["id"]);
  const subject = asText(input["subject"]);
  return id === undefined || subject === undefined ? [] : [{ kind: "task", id, subject, status: "pending" }];
}

function updatedTask(input: JsonObject): Evidence[] {
  const id = asText(input["taskId"]);
  const status = statusOf(input["status"]);
  if (id === undefined || status === undefined) return [];
  return [{ kind: "task", id, subject: asText(input["subject"]) ?? null, status }];
}

function statusOf(value: unknown): Task["status"] | "deleted" | undefined {
  return value === "pending" || value === "in_progress" || value === "completed" || value === "deleted"
    ? value
    : undefined;
}

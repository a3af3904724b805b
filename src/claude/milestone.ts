import type { Task } from "../core/checkpoint.ts";
import type { Evidence } from "../core/checkpoint-merge.ts";
import type { HookPayload } from "./hook-payload.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";

export interface Milestone {
  evidence: Evidence[];
  /** When git's own files may say more: a turn begins or ends, or a command is about to have changed them. */
  git: "changed" | "look" | "no";
}

/** What a hook's payload says about where the work stands; undefined for the many that say nothing. */
export function readMilestone(payload: HookPayload): Milestone | undefined {
  // Subagents and compaction have prompts, answers and task lists of their own; what they edit is edited all the same.
  const aside = payload.agentId !== undefined;
  switch (payload.event) {
    case "PostToolUse":
      return readToolCall(payload, aside);
    case "UserPromptSubmit": {
      const prompt = asText(payload.fields["prompt"]);
      return aside || prompt === undefined ? undefined : look({ kind: "prompt", text: prompt });
    }
    case "Stop":
      return aside ? undefined : look({ kind: "answer", message: payload.lastAssistantMessage ?? null });
    case "StopFailure": {
      const error = asText(payload.fields["error"]) ?? "unknown";
      return aside ? undefined : look({ kind: "failure", error, message: payload.lastAssistantMessage ?? null });
    }
    case "PreCompact":
    case "SessionEnd":
      return aside ? undefined : look();
    default:
      return undefined;
  }
}

const look = (...evidence: Evidence[]): Milestone => ({ evidence, git: "look" });

function readToolCall(payload: HookPayload, aside: boolean): Milestone | undefined {
  const { fields } = payload;
  const command = fields["tool_name"] === "Bash" ? asText(asObject(fields["tool_input"])?.["command"]) : undefined;
  const evidence = evidenceOf(payload, aside);
  const git = command !== undefined && gitCommand.test(command) ? "changed" : "no";
  return evidence.length > 0 || git === "changed" ? { evidence, git } : undefined;
}

function evidenceOf({ fields }: HookPayload, aside: boolean): Evidence[] {
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
      return aside ? [] : [{ kind: "tasks", tasks: readTodos(input["todos"]) }];
    case "TaskCreate":
      return aside ? [] : createdTask(input, asObject(fields["tool_response"]));
    case "TaskUpdate":
      return aside ? [] : updatedTask(input);
    default:
      return [];
  }
}

const editOf = (path: unknown): Evidence[] => (typeof path === "string" ? [{ kind: "edit", file: path }] : []);

const gitCommand = /\bgit\b[^|;&\n]*\s(commit|push|switch|checkout|merge|rebase|cherry-pick|revert)(?![\w-])/;

/** What a command printed; what it committed is read from git's own log. */
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

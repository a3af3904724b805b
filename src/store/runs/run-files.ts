import { appendLine } from "../../io/durable/append-line.ts";
import { refusal } from "../../io/durable/durable-error.ts";
import { createFile, DurableError, makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { fileFacts, isDirectory, parentOf } from "../../io/files/read-file.ts";

/** What a new process needs to know about a run; the names are stable. */
export interface RunCheckpoint {
  session_id: string;
  run_id: string;
  timestamp: string;
  task_description: string;
  last_step: string | null;
  steps: readonly string[];
  files_modified: readonly string[];
  interrupted_by: string | null;
  cwd: string;
  phase: string;
}

/** The files of one run, in its project. */
export class RunFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  get journal(): string {
    return `${this.directory}/journal.jsonl`;
  }
  get log(): string {
    return `${this.directory}/output.log`;
  }
  get checkpoint(): string {
    return `${this.directory}/checkpoint.json`;
  }
  get pid(): string {
    return `${this.directory}/daemon.pid`;
  }

  /** Level by level: a repository may contain a link instead of a directory, and links are refused. */
  make(): void {
    const sessions = parentOf(this.directory);
    const root = parentOf(sessions);
    // A removed project is not created again as an empty directory.
    const project = parentOf(root);
    if (!isDirectory(project)) throw refusal("gone", `the directory of the run is gone: ${project}`);
    for (const level of [root, sessions, this.directory]) makeDirectory(level);
    const ignore = `${root}/.gitignore`;
    if (!fileFacts(ignore)) createUnlessThere(ignore, "*\n");
  }

  writeCheckpoint(checkpoint: RunCheckpoint): void {
    replaceFile(this.checkpoint, `${JSON.stringify(checkpoint, null, 2)}\n`);
  }

  /** What the user would have seen, line by line. */
  appendLog(text: string): void {
    appendLine(this.log, text);
  }

  writePid(pid: number): void {
    replaceFile(this.pid, `${pid}\n`);
  }

  removePid(): void {
    removeFile(this.pid);
  }
}

/** Two runs may create it at the same time. */
function createUnlessThere(path: string, content: string): void {
  try {
    createFile(path, content);
  } catch (error) {
    if (!(error instanceof DurableError) || error.code !== "EEXIST") throw error;
  }
}

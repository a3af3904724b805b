import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Case } from "./measure.ts";

/** A made-up session of a given size in a home of its own, and the hook calls on it. */
export class BenchSession {
  readonly transcript: string;
  readonly id: string;
  readonly #hook: string[];

  constructor(home: string, megabytes: number, executable: string) {
    this.id = `bench-${megabytes}`;
    this.#hook = [executable, "session-snapshot", "hook"];
    this.transcript = join(home, ".claude/projects/-bench", `${this.id}.jsonl`);
    mkdirSync(dirname(this.transcript), { recursive: true });
    write(this.transcript, megabytes * 1_000_000);
  }

  get size(): number {
    return statSync(this.transcript).size;
  }

  payload(event: string): string {
    return JSON.stringify({
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: "/bench",
      permission_mode: "default",
      hook_event_name: event,
      tool_name: "Bash",
      tool_input: { command: "bun test", description: "Run the tests" },
      tool_response: { stdout: "ok\n".repeat(200), stderr: "", interrupted: false },
      tool_use_id: "toolu_bench",
      duration_ms: 120,
    });
  }

  /** The first snapshot of all, which copies everything; and a check that there is one. */
  start(home: string, env: Record<string, string>): void {
    const input = new TextEncoder().encode(this.payload("PreCompact"));
    Bun.spawnSync(this.#hook, { env, stdin: input });
    const mirror = join(home, ".config/session-snapshot/snapshots", `${this.id}.jsonl`);
    if (!existsSync(mirror) || statSync(mirror).size !== this.size) throw new Error(`no snapshot at ${mirror}`);
  }

  /** A tool call after which nothing is due. */
  nothingToDo(name: string): Case {
    // A transcript that has not been written to for a minute would be looked at more closely.
    const prepare = (): void => utimesSync(this.transcript, new Date(), new Date());
    return { name, command: this.#hook, stdin: this.payload("PostToolUse"), prepare };
  }

  /** An event that keeps whatever is new, without waiting for more. */
  snapshot(name: string, bytes: number): Case {
    const prepare = (): void => appendFileSync(this.transcript, linesOf(bytes));
    return { name, command: this.#hook, stdin: this.payload("PreCompact"), prepare };
  }
}

const line = `${JSON.stringify({
  type: "assistant",
  uuid: "00000000-0000-4000-8000-000000000000",
  parentUuid: "00000000-0000-4000-8000-000000000001",
  isSidechain: false,
  message: {
    role: "assistant",
    usage: { input_tokens: 12, cache_read_input_tokens: 90_000, cache_creation_input_tokens: 900 },
    content: [{ type: "text", text: "The tests pass now, and I go on with the next step. ".repeat(30) }],
  },
})}\n`;

const linesOf = (bytes: number): string => line.repeat(Math.ceil(bytes / line.length));

function write(path: string, bytes: number): void {
  const chunk = linesOf(1_000_000);
  const fd = openSync(path, "w");
  try {
    for (let written = 0; written < bytes;) {
      written += writeSync(fd, written + chunk.length <= bytes ? chunk : linesOf(bytes - written));
    }
    // Written out now: later it would be, in the middle of what is measured.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

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

/** A generated session of a given size with its own home, and hook calls for it. */
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

  /** Takes the first snapshot, which copies everything, and checks that it exists. */
  start(home: string, env: Record<string, string>): void {
    const input = new TextEncoder().encode(this.payload("PreCompact"));
    Bun.spawnSync(this.#hook, { env, stdin: input });
    const mirror = join(home, ".config/session-snapshot/snapshots", `${this.id}.jsonl`);
    if (!existsSync(mirror) || statSync(mirror).size !== this.size) throw new Error(`no snapshot at ${mirror}`);
  }

  /** A tool call after which no snapshot is due. */
  nothingToDo(name: string): Case {
    // A transcript unchanged for a minute would trigger the standstill check.
    const prepare = (): void => utimesSync(this.transcript, new Date(), new Date());
    return { name, command: this.#hook, stdin: this.payload("PostToolUse"), prepare };
  }

  /** An event that saves new bytes without waiting for more. */
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
    content: [{ type: "text", text: "The tests pass now, and I continue with the next step. ".repeat(30) }],
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
    // Synced now, so that writeback does not disturb the measurement.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

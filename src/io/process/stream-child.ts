import { platform } from "../../platform/current.ts";
import { identifyProcess, type ProcessIdentity } from "./process.ts";
import type { Variables } from "../../core/variables.ts";

export interface StreamedRun {
  readonly command: string[];
  readonly variables: Variables;
  readonly directory: string;
  /** Everything that it reads on stdin. */
  readonly input: string;
  /** Complete lines of its stdout, without the line ending. */
  readonly onLine: (line: string) => void;
}

export interface StreamedEnd {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  /** Only the end, when it is long. */
  readonly stderr: string;
}

const maxLineBytes = 64 * 1024 * 1024;
const maxStderrBytes = 64 * 1024;
/** A process that a tool left behind may keep the streams open: after the program has ended, they are read for this long. */
const drainTimeoutMs = 2_000;

/** A program whose output is read line by line. It has its own process group, so terminal signals do not reach it. */
export class StreamChild {
  readonly identity: ProcessIdentity | undefined;
  readonly ended: Promise<StreamedEnd>;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;

  constructor(run: StreamedRun) {
    this.#child = Bun.spawn(run.command, {
      env: run.variables,
      cwd: run.directory,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.identity = identifyProcess(this.#child.pid);
    this.ended = this.#follow(run.onLine);
    void this.#give(run.input);
  }

  /** Asks it to end; after `timeoutMs` kills it with its process group. */
  async end(timeoutMs: number): Promise<void> {
    this.#child.kill("SIGTERM");
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), timeoutMs);
    const first = await Promise.race([this.#child.exited, late.promise]);
    clearTimeout(timer);
    if (first === "late") platform.killGroup(this.#child.pid);
    await this.ended;
  }

  async #give(input: string): Promise<void> {
    try {
      await this.#child.stdin.write(input);
      await this.#child.stdin.end();
    } catch {
      // The program exited without reading the rest; its exit status says why.
    }
  }

  async #follow(onLine: (line: string) => void): Promise<StreamedEnd> {
    const lines = readLines(this.#child.stdout, onLine);
    const errors = collectTail(this.#child.stderr);
    await this.#child.exited;
    const timer = setTimeout(() => void Promise.all([lines.leave(), errors.leave()]), drainTimeoutMs);
    await Promise.all([lines.ended, errors.ended]);
    clearTimeout(timer);
    const signal = (this.#child.signalCode as NodeJS.Signals | null) ?? undefined;
    return { exitCode: this.#child.exitCode ?? 1, signal, stderr: errors.text() };
  }
}

/** Only LF ends a line. Decodes complete lines, so that no character is split. */
function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void) {
  const reader = stream.getReader();
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    // No useful line is this long: its start is dropped, and the rest is not valid JSON.
    if (size > maxLineBytes) parts = [];
    parts.push(part);
  };
  const flush = (): void => {
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    size = 0;
    if (line !== "") onLine(line);
  };
  const ended = readAll(reader, (bytes) => {
    let from = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, from)) {
      take(bytes.subarray(from, at));
      flush();
      from = at + 1;
    }
    if (from < bytes.length) take(bytes.slice(from));
  }).then(flush);
  return { ended, leave: () => reader.cancel() };
}

function collectTail(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  let kept = Buffer.alloc(0);
  const ended = readAll(reader, (bytes) => {
    kept = Buffer.concat([kept, bytes]).subarray(-maxStderrBytes);
  });
  return { ended, leave: () => reader.cancel(), text: () => kept.toString("utf8") };
}

interface Source {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

async function readAll(reader: Source, onBytes: (bytes: Uint8Array) => void): Promise<void> {
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    onBytes(value);
  }
}

import { platform } from "../platform/current.ts";
import { identifyProcess, type ProcessIdentity } from "./process.ts";

export interface StreamedRun {
  readonly command: string[];
  readonly variables: Record<string, string | undefined>;
  readonly directory: string;
  /** All that it reads on stdin. */
  readonly input: string;
  /** Whole lines of its stdout, without their end. */
  readonly onLine: (line: string) => void;
}

export interface StreamedEnd {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  /** The end of it, when it is long. */
  readonly stderr: string;
}

const longestLine = 64 * 1024 * 1024;
const longestStderr = 64 * 1024;
/** What a tool left behind may hold the streams open for ever: after the end of the program itself they get this long. */
const drainTime = 2_000;

/** A program whose output is read line by line. It is a group of its own: what the terminal sends to us does not reach it. */
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

  /** Asks it to end; what has not ended after `grace` milliseconds is killed with all that it started. */
  async end(grace: number): Promise<void> {
    this.#child.kill("SIGTERM");
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), grace);
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
      // It left without reading on; how it ended says why.
    }
  }

  async #follow(onLine: (line: string) => void): Promise<StreamedEnd> {
    const lines = readLines(this.#child.stdout, onLine);
    const errors = collectTail(this.#child.stderr);
    await this.#child.exited;
    const timer = setTimeout(() => void Promise.all([lines.leave(), errors.leave()]), drainTime);
    await Promise.all([lines.ended, errors.ended]);
    clearTimeout(timer);
    const signal = (this.#child.signalCode as NodeJS.Signals | null) ?? undefined;
    return { exitCode: this.#child.exitCode ?? 1, signal, stderr: errors.text() };
  }
}

/** LF alone ends a line; bytes are put together before they become text. */
function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void) {
  const reader = stream.getReader();
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    // Nothing that we could use is that long: its beginning is let go, and its rest is no JSON.
    if (size > longestLine) parts = [];
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
    kept = Buffer.concat([kept, bytes]).subarray(-longestStderr);
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

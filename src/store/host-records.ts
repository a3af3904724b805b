import type { HostedEnd, Size } from "../core/frames.ts";
import { has, isProcessMark, isText, isTexts, isTime, orNull } from "../core/check-record.ts";
import { makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import type { ProcessIdentity } from "../io/process.ts";
import { listDirectory } from "../io/read-file.ts";
import { NotOurs, readOwnText } from "../io/read-own-file.ts";

/** What a host is to run: written before it is started. */
export interface HostPlan {
  readonly id: string;
  readonly command: readonly string[];
  /** What the program takes for its own name. */
  readonly name: string;
  readonly directory: string;
  readonly size: Size;
  /** The first line on its screen; null for none. */
  readonly greeting: string | null;
  /** The conversation that it holds, when we have chosen it. */
  readonly sessionId: string | null;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export interface HostedSession {
  readonly id: string;
  readonly transcriptPath: string | null;
}

/** `hosts/<id>.json`. Written by the starter (the plan) and then by the host alone. */
export interface HostRecord {
  readonly version: 1;
  readonly plan: HostPlan;
  /** Null until the host runs. */
  readonly running: {
    readonly host: ProcessIdentity;
    readonly program: ProcessIdentity | null;
    readonly socket: string;
  } | null;
  /** The conversation it was last seen to hold. */
  readonly session: HostedSession | null;
  /** Null until the program has ended and the host knows it. */
  readonly end: (HostedEnd & { readonly time: number }) | null;
}

const isHostRecord = (value: unknown): value is HostRecord =>
  has({
    version: (version) => version === 1,
    plan: has({
      id: isText,
      name: isText,
      directory: isText,
      greeting: orNull(isText),
      sessionId: orNull(isText),
      command: isTexts,
      created: isTime,
      size: has({ columns: isTime, rows: isTime }),
    }),
    running: orNull(has({ host: isProcessMark, program: orNull(isProcessMark), socket: isText })),
    session: orNull(has({ id: isText, transcriptPath: orNull(isText) })),
    end: orNull(has({ exitCode: isTime, signal: orNull(isText), time: isTime })),
  })(value);

export class HostRecords {
  readonly #directory: string;

  constructor(stateRoot: string) {
    this.#directory = `${stateRoot}/hosts`;
  }

  write(record: HostRecord): void {
    makeDirectory(this.#directory);
    replaceFile(this.#path(record.plan.id), JSON.stringify(record));
  }

  read(id: string): HostRecord | undefined {
    // It becomes part of a path, and may come from a command line.
    if (!/^\w[\w-]*$/.test(id)) return undefined;
    try {
      const value: unknown = JSON.parse(readOwnText(this.#path(id)) ?? "null");
      return isHostRecord(value) && value.plan.id === id ? value : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof NotOurs) return undefined;
      throw error;
    }
  }

  /** The newest first. */
  all(): HostRecord[] {
    return listDirectory(this.#directory)
      .filter((name) => /^[\w-]+\.json$/.test(name))
      .flatMap((name) => this.read(name.slice(0, -".json".length)) ?? [])
      .sort((a, b) => b.plan.created - a.plan.created);
  }

  remove(id: string): void {
    removeFile(this.#path(id));
  }

  #path(id: string): string {
    return `${this.#directory}/${id}.json`;
  }
}

import { type HostedEnd, oldestProtocolVersion, protocolVersion, type Size } from "../../core/host/frames.ts";
import type { HangupPolicy } from "../../core/host/hang-up.ts";
import type { HostedState } from "../../core/host/hosted-state.ts";
import { type Check, has, isFlag, isProcessMark, isText, isTexts, isTime, orNull } from "../../core/check-record.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { isSameProcess, type ProcessIdentity } from "../../io/process/process.ts";
import { listDirectory } from "../../io/files/read-file.ts";
import { NotOurs, readOwnText } from "../../io/files/read-own-file.ts";

/** What a host should run: written before it starts. */
export interface HostPlan {
  readonly id: string;
  readonly command: readonly string[];
  /** The program's own name (argv[0]). */
  readonly name: string;
  readonly directory: string;
  readonly size: Size;
  /** Unused; version 0.1.0 expects it. */
  readonly greeting: null;
  /** The session that we chose for it, if any. */
  readonly sessionId: string | null;
  /** The program starts when the first client attaches, in the environment of that client's terminal. */
  readonly startsAttached?: boolean;
  /** The record is removed at the end if a client has seen it. */
  readonly isTransient?: boolean;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** It was started without a terminal, so a lost terminal does not end it. */
  readonly background?: true;
}

/** What Claude is doing. Times are milliseconds since 1970. */
export interface HostedStatus {
  readonly state: HostedState;
  /** When the state began. */
  readonly since: number;
  /** Claude's own title of the conversation, else its first prompt; null before it. */
  readonly title: string | null;
  /** How many terminals are attached. */
  readonly terminals: number;
  /** Set while no terminal is attached because the last one was lost. */
  readonly hangup: { readonly policy: HangupPolicy; readonly time: number } | null;
  /** Claude's permission mode as a hook reported it last; absent before. Old clients do not write it to the transcript until a prompt. */
  readonly reportedMode?: { readonly mode: string; readonly time: number };
}

export interface HostedSession {
  readonly id: string;
  readonly transcriptPath: string | null;
}

/** `hosts/<id>.json`. The starting process writes the plan; then only the host writes it. */
export interface HostRecord {
  readonly version: 1;
  readonly plan: HostPlan;
  /** Null until the host runs. */
  readonly running: {
    readonly host: ProcessIdentity;
    readonly program: ProcessIdentity | null;
    readonly socket: string;
    /** The newest protocol version of the host; missing in the records of version 0.1.0, which uses 1. */
    readonly protocol?: number;
  } | null;
  /** The session that it was last seen to use. */
  readonly session: HostedSession | null;
  /** Null until the program has ended. */
  readonly end: (HostedEnd & { readonly time: number }) | null;
  /** Absent before the first look, and in records of version 0.1. */
  readonly status?: HostedStatus;
}

/** The conversation that a host holds, or was holding when it died. */
export const heldSession = ({ plan, session }: HostRecord): string | null => session?.id ?? plan.sessionId;

/** The same, with its transcript where it is known. */
export const sessionOf = ({ plan, session }: HostRecord): HostedSession | null =>
  session ?? (plan.sessionId === null ? null : { id: plan.sessionId, transcriptPath: null });

/** The protocol version that a client must use with this host. */
export const protocolOf = ({ running }: HostRecord): number =>
  Math.min(protocolVersion, running?.protocol ?? oldestProtocolVersion);

export const isHosted = ({ running, end }: HostRecord): boolean =>
  end === null && running !== null && isSameProcess(running.host);

/** Whether a session waits for its user: it asks, or its context is full. */
export const needsUser = (record: HostRecord): boolean =>
  isHosted(record) && (record.status?.state.kind === "asking" || record.status?.state.kind === "context-full");

/** Exists while a session may need its user, so that the status line reads the records only then. */
export const needsUserHint = (stateRoot: string): string => `${hostsDirectory(stateRoot)}/needs-you`;

export const hostsDirectory = (stateRoot: string): string => `${stateRoot}/hosts`;

const isOneOf =
  (...names: string[]): Check =>
  (value) =>
    typeof value === "string" && names.includes(value);

const isHostedState: Check = (value) =>
  has({ kind: isOneOf("working", "context-full", "ended") })(value) ||
  has({ kind: isOneOf("idle"), background: isFlag })(value) ||
  has({ kind: isOneOf("asking"), about: isOneOf("permission", "question") })(value) ||
  has({ kind: isOneOf("limit"), until: orNull(isTime), held: orNull(isText) })(value);

const isHostedStatus = has({
  state: isHostedState,
  since: isTime,
  title: orNull(isText),
  terminals: isTime,
  hangup: orNull(has({ policy: isOneOf("finish", "keep", "end"), time: isTime })),
  reportedMode: (value) => value === undefined || has({ mode: isText, time: isTime })(value),
});

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

/** A status that this version does not know must not hide the host. */
function withKnownStatus({ status, ...record }: HostRecord): HostRecord {
  return status !== undefined && isHostedStatus(status) ? { ...record, status } : record;
}

export class HostRecords {
  readonly #directory: string;

  constructor(stateRoot: string) {
    this.#directory = hostsDirectory(stateRoot);
  }

  write(record: HostRecord): void {
    makeDirectory(this.#directory);
    replaceFile(this.#path(record.plan.id), JSON.stringify(record));
    if (needsUser(record)) replaceFile(`${this.#directory}/needs-you`, "\n");
  }

  read(id: string): HostRecord | undefined {
    // The id becomes part of a path, and may come from a command line.
    if (!/^\w[\w-]*$/.test(id)) return undefined;
    try {
      const value: unknown = JSON.parse(readOwnText(this.#path(id)) ?? "null");
      return isHostRecord(value) && value.plan.id === id ? withKnownStatus(value) : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof NotOurs) return undefined;
      throw error;
    }
  }

  /** Newest first. */
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

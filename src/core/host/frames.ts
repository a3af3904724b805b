/**
 * The protocol between a host and its clients. A frame is four bytes of length (big endian, of all that follows), one byte of
 * kind, then the content: terminal bytes or JSON. docs/FORMAT.md describes it. Host and client use the lower of their versions.
 * Version 1 (0.1.0) has no leave, signal, continue and stopped; version 2 has no command.
 */
export const protocolVersion = 3;
export const oldestProtocolVersion = 1;

/** A host sends no larger frame, so a larger length means that the peer does not speak this protocol. */
export const maxFrameBytes = 256 * 1024;
/** For frames of a client, which splits a large paste. */
export const maxInputBytes = 64 * 1024;

const kinds = {
  hello: 1,
  input: 2,
  resize: 3,
  redraw: 4,
  leave: 5,
  signal: 6,
  continue: 7,
  command: 8,
  welcome: 16,
  output: 17,
  end: 18,
  refusal: 19,
  stopped: 20,
} as const;
type Kind = keyof typeof kinds;
const kindNames: Readonly<Record<number, Kind | undefined>> = Object.fromEntries(
  (Object.keys(kinds) as Kind[]).map((name) => [kinds[name], name]),
);

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** How the hosted program ended. */
export interface HostedEnd {
  readonly exitCode: number;
  readonly signal: string | null;
}

/** How a client left: the user pressed the detach key, or the terminal or the connection is gone. */
export type Departure = "detach" | "hangup";

/** The signals that a client passes on to the program. A hang-up is a departure instead. */
export const passedSignals = ["SIGTERM", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
export type PassedSignal = (typeof passedSignals)[number];

/** What a user asks the host for with the prefix key: restore a full conversation, remove the host's line, show the keys. */
export const hostCommands = ["restore", "dismiss", "keys"] as const;
export type HostCommand = (typeof hostCommands)[number];

export interface Hello {
  readonly kind: "hello";
  readonly version: number;
  readonly size: Size;
  /** The client shows it for a moment on its last row. */
  readonly notice: string | null;
  /** The client's detach key, as shown to the user. Its first part is the prefix of commands. Absent before version 3. */
  readonly detachKey?: string | null;
}

export type Frame =
  | Hello
  | { readonly kind: "input" | "output"; readonly bytes: Uint8Array }
  | { readonly kind: "resize"; readonly size: Size }
  | { readonly kind: "redraw" }
  /** The last frame of a client. A client that closes without it has hung up. */
  | { readonly kind: "leave"; readonly how: Departure }
  /** The client received this signal and stays attached. */
  | { readonly kind: "signal"; readonly name: PassedSignal }
  /** The shell continued the client after `stopped`. */
  | { readonly kind: "continue" }
  | { readonly kind: "command"; readonly name: HostCommand }
  /** The version that both use. */
  | { readonly kind: "welcome"; readonly version: number }
  /** The program suspended itself, as at Ctrl-Z. */
  | { readonly kind: "stopped" }
  | { readonly kind: "end"; readonly end: HostedEnd }
  | { readonly kind: "refusal"; readonly reason: string };

/** The peer sent bytes that are not a frame; the connection cannot be used any more. */
export class BrokenFrame extends Error {
  override readonly name = "BrokenFrame";
}

const headerLength = 5;

export function encodeFrame(frame: Frame): Uint8Array {
  const content = frame.kind === "input" || frame.kind === "output" ? frame.bytes : encodeFields(frame);
  const bytes = new Uint8Array(headerLength + content.length);
  const length = content.length + 1;
  bytes[0] = length >>> 24;
  bytes[1] = length >>> 16;
  bytes[2] = length >>> 8;
  bytes[3] = length;
  bytes[4] = kinds[frame.kind];
  bytes.set(content, headerLength);
  return bytes;
}

function encodeFields(frame: Frame): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...frame, kind: undefined }));
}

/** Joins received pieces into frames and keeps at most one unfinished frame. */
export class FrameReader {
  readonly #maxBytes: number;
  #rest: Uint8Array = nothing;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the complete frames. Throws BrokenFrame; push nothing after that. */
  push(bytes: Uint8Array): Frame[] {
    const all = this.#rest.length === 0 ? bytes : concatenate(this.#rest, bytes);
    const frames: Frame[] = [];
    let at = 0;
    while (all.length - at >= headerLength) {
      const length = lengthAt(all, at);
      if (length < 1 || length > this.#maxBytes + 1) throw new BrokenFrame(`a frame of ${length} bytes`);
      if (all.length - at < 4 + length) break;
      frames.push(decodeFrame(all[at + 4] ?? 0, all.subarray(at + headerLength, at + 4 + length)));
      at += 4 + length;
    }
    this.#rest = at === all.length ? nothing : all.slice(at);
    return frames;
  }
}

const nothing = new Uint8Array(0);

const lengthAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function decodeFrame(number: number, content: Uint8Array): Frame {
  const kind = kindNames[number];
  switch (kind) {
    case "input":
    case "output":
      return { kind, bytes: content };
    case "hello": {
      const fields = parseFields(content);
      // The host prints both, so control characters could move the cursor.
      const line = printable(fields["notice"]);
      const detachKey = printable(fields["detachKey"]);
      const detaches = fields["saysDetach"] === true ? { saysDetach: true as const } : {};
      return { kind, version: numberIn(fields, "version"), size: sizeIn(fields), notice: line, detachKey, ...detaches };
    }
    case "resize":
      return { kind, size: sizeIn(parseFields(content)) };
    case "redraw":
    case "continue":
    case "stopped":
      return { kind };
    case "leave":
      return { kind, how: parseFields(content)["how"] === "detach" ? "detach" : "hangup" };
    case "signal": {
      const name = passedSignals.find((signal) => signal === parseFields(content)["name"]);
      if (name === undefined) throw new BrokenFrame("a signal that clients do not pass on");
      return { kind, name };
    }
    case "command": {
      const name = hostCommands.find((command) => command === parseFields(content)["name"]);
      if (name === undefined) throw new BrokenFrame("a command that the host does not know");
      return { kind, name };
    }
    case "welcome":
      return { kind, version: numberIn(parseFields(content), "version") };
    case "end": {
      const end = objectIn(parseFields(content), "end");
      const signal = end["signal"];
      return { kind, end: { exitCode: numberIn(end, "exitCode"), signal: typeof signal === "string" ? signal : null } };
    }
    case "refusal": {
      const { reason } = parseFields(content);
      return { kind, reason: typeof reason === "string" ? reason : "" };
    }
    case undefined:
      throw new BrokenFrame(`a frame of the unknown kind ${number}`);
  }
}

type Fields = Record<string, unknown>;

const printable = (value: unknown): string | null =>
  typeof value === "string" ? value.replaceAll(/\p{Cc}/gu, " ") : null;

function parseFields(content: Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(content));
    if (typeof value === "object" && value !== null) return value as Fields;
  } catch {
    // The error below covers text that is not JSON as well.
  }
  throw new BrokenFrame("the content of a frame must be a JSON object");
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (typeof value === "object" && value !== null) return value as Fields;
  throw new BrokenFrame(`a frame must have an object "${name}"`);
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new BrokenFrame(`"${name}" in a frame must be a whole number`);
}

function sizeIn(fields: Fields): Size {
  const size = objectIn(fields, "size");
  return { columns: numberIn(size, "columns"), rows: numberIn(size, "rows") };
}

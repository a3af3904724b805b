/**
 * What a host and the clients attached to it say to each other. Four bytes of length (big endian, of all that follows), one byte
 * of kind, then the content: bytes of a terminal, or JSON. FORMAT.md describes it; another version is refused by name.
 */
export const protocolVersion = 1;

/** A host writes no larger one; whoever announces a larger one talks another language. */
export const largestFrame = 256 * 1024;
/** Of a client: keys, and pastes in pieces. */
export const largestInput = 64 * 1024;

const kinds = { hello: 1, input: 2, resize: 3, redraw: 4, welcome: 16, output: 17, end: 18, refusal: 19 } as const;
type Kind = keyof typeof kinds;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** How the hosted program ended. */
export interface HostedEnd {
  readonly exitCode: number;
  readonly signal: string | null;
}

export type Frame =
  /** The notice is shown for a moment on the client's last row: null for none. */
  | { readonly kind: "hello"; readonly version: number; readonly size: Size; readonly notice: string | null }
  | { readonly kind: "input" | "output"; readonly bytes: Uint8Array }
  | { readonly kind: "resize"; readonly size: Size }
  | { readonly kind: "redraw" }
  | { readonly kind: "welcome"; readonly version: number }
  | { readonly kind: "end"; readonly end: HostedEnd }
  | { readonly kind: "refusal"; readonly reason: string };

/** Somebody sent what no frame is. The connection that it came from is of no more use. */
export class BrokenFrame extends Error {
  override readonly name = "BrokenFrame";
}

const headerLength = 5;

export function encodeFrame(frame: Frame): Uint8Array {
  const content = frame.kind === "input" || frame.kind === "output" ? frame.bytes : encodeFields(frame);
  const bytes = new Uint8Array(headerLength + content.length);
  new DataView(bytes.buffer).setUint32(0, content.length + 1);
  bytes[4] = kinds[frame.kind];
  bytes.set(content, headerLength);
  return bytes;
}

function encodeFields(frame: Frame): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...frame, kind: undefined }));
}

/** Puts frames together from pieces as they come, and never keeps more than one unfinished frame. */
export class FrameReader {
  readonly #largest: number;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(largest: number) {
    this.#largest = largest;
  }

  /** The frames that are whole by now. Throws BrokenFrame; nothing may be pushed after that. */
  push(bytes: Uint8Array): Frame[] {
    const all = this.#rest.length === 0 ? bytes : concatenate(this.#rest, bytes);
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    const frames: Frame[] = [];
    let at = 0;
    while (all.length - at >= headerLength) {
      const length = view.getUint32(at);
      if (length < 1 || length > this.#largest + 1) throw new BrokenFrame(`a frame of ${length} bytes`);
      if (all.length - at < 4 + length) break;
      frames.push(decodeFrame(all[at + 4] ?? 0, all.subarray(at + headerLength, at + 4 + length)));
      at += 4 + length;
    }
    this.#rest = all.slice(at);
    return frames;
  }
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function decodeFrame(number: number, content: Uint8Array): Frame {
  const kind = (Object.keys(kinds) as Kind[]).find((name) => kinds[name] === number);
  switch (kind) {
    case "input":
    case "output":
      return { kind, bytes: content };
    case "hello": {
      const fields = parseFields(content);
      const notice = fields["notice"];
      // It is written on a screen: nothing that moves a cursor gets there.
      const line = typeof notice === "string" ? notice.replaceAll(/\p{Cc}/gu, " ") : null;
      return { kind, version: numberIn(fields, "version"), size: sizeIn(fields), notice: line };
    }
    case "resize":
      return { kind, size: sizeIn(parseFields(content)) };
    case "redraw":
      return { kind };
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

function parseFields(content: Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(content));
    if (typeof value === "object" && value !== null) return value as Fields;
  } catch {
    // Said below.
  }
  throw new BrokenFrame("a frame whose content is no JSON object");
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (typeof value === "object" && value !== null) return value as Fields;
  throw new BrokenFrame(`a frame without ${name}`);
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new BrokenFrame(`a frame whose ${name} is no number`);
}

function sizeIn(fields: Fields): Size {
  const size = objectIn(fields, "size");
  return { columns: numberIn(size, "columns"), rows: numberIn(size, "rows") };
}

import { asObject, asText } from "../json-object.ts";
import { readStreamLine, type StreamEvent, type StreamResult } from "./stream.ts";
import { joinBytes } from "../transcript/transcript.ts";

/**
 * What one attempt of `claude -p` printed, as far as it is not passed on yet. Only the end of the attempt tells whether this is
 * the answer, or an error after which another attempt prints the answer.
 */
export interface HeldOutput {
  /** Something is held that the sender of the next prompt may wait for. */
  readonly isHolding: boolean;
  /** Claude's words in what is held. */
  readonly message: string | undefined;
  /** Takes what claude printed, and returns what is passed on now. */
  take(bytes: Uint8Array): readonly Uint8Array[];
  /** Returns the whole events that are held: this attempt still runs. */
  releaseEvents(): readonly Uint8Array[];
  /** Returns all that is held: no other attempt follows. */
  release(): readonly Uint8Array[];
  /** Drops all that is held. Returns what ends a line that was passed on in part. */
  discard(): readonly Uint8Array[];
}

/** More than this is not held: the output of a program that prints without end must not fill the memory. */
const maxHeldBytes = 8 * 1024 * 1024;
const lineFeed = 0x0a;

/** How claude prints, as its arguments say. */
export interface PrintFormat {
  /** The value of `--output-format`. */
  readonly output: string | undefined;
  /** The value of `--input-format`. */
  readonly input: string | undefined;
}

export const holdOutput = ({ output, input }: PrintFormat, isRestart = false): HeldOutput =>
  output === "stream-json" ? new HeldStream(input === "stream-json", isRestart) : new HeldDocument(output === "json");

/** Text and JSON: claude prints its answer at the end, so holding it costs no time. */
class HeldDocument implements HeldOutput {
  readonly #isJson: boolean;
  #parts: Uint8Array[] = [];
  #size = 0;
  #isTooLarge = false;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  readonly isHolding = false;

  get message(): string | undefined {
    const text = decode(joinBytes(this.#parts));
    return (this.#isJson ? resultIn(text) : undefined) ?? nonEmpty(text);
  }

  take(bytes: Uint8Array): readonly Uint8Array[] {
    if (this.#isTooLarge) return [bytes];
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#isTooLarge = this.#size > maxHeldBytes;
    return this.#isTooLarge ? this.release() : [];
  }

  releaseEvents(): readonly Uint8Array[] {
    return [];
  }

  release(): readonly Uint8Array[] {
    return this.#parts.splice(0);
  }

  discard(): readonly Uint8Array[] {
    this.#parts = [];
    return [];
  }
}

/** Stream: every event passes at once, except an error or a result and what follows it, until Claude continues. */
class HeldStream implements HeldOutput {
  /** One process answers many prompts, and prints a result for each. */
  readonly #hasManyPrompts: boolean;
  readonly #isRestart: boolean;
  #line: Uint8Array[] = [];
  #lineSize = 0;
  #isLongLine = false;
  #held: Uint8Array[] = [];
  #heldSize = 0;
  #message: string | undefined;

  constructor(hasManyPrompts: boolean, isRestart: boolean) {
    this.#hasManyPrompts = hasManyPrompts;
    this.#isRestart = isRestart;
  }

  get isHolding(): boolean {
    return this.#held.length > 0 && this.#hasManyPrompts;
  }

  get message(): string | undefined {
    return this.#message;
  }

  take(bytes: Uint8Array): readonly Uint8Array[] {
    const passed: Uint8Array[] = [];
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      passed.push(...this.#takePart(bytes.subarray(from, at + 1)), ...this.#endLine());
      from = at + 1;
    }
    if (from < bytes.length) passed.push(...this.#takePart(bytes.subarray(from)));
    return passed;
  }

  releaseEvents(): readonly Uint8Array[] {
    this.#heldSize = 0;
    this.#message = undefined;
    return this.#held.splice(0);
  }

  release(): readonly Uint8Array[] {
    return [...this.releaseEvents(), ...this.#line.splice(0)];
  }

  discard(): readonly Uint8Array[] {
    this.releaseEvents();
    this.#line = [];
    return this.#isLongLine ? [Uint8Array.of(lineFeed)] : [];
  }

  #takePart(part: Uint8Array): readonly Uint8Array[] {
    if (this.#isLongLine) return [part];
    this.#line.push(part);
    this.#lineSize += part.length;
    if (this.#lineSize <= maxHeldBytes) return [];
    this.#isLongLine = true;
    return this.release();
  }

  #endLine(): readonly Uint8Array[] {
    const line = joinBytes(this.#line);
    this.#line = [];
    this.#lineSize = 0;
    const wasLong = this.#isLongLine;
    this.#isLongLine = false;
    return wasLong ? [] : this.#takeLine(line);
  }

  #takeLine(line: Uint8Array): readonly Uint8Array[] {
    const events = readStreamLine(decode(line));
    if (events.some(continues)) return [...this.releaseEvents(), line];
    const end = events.find((event) => event.kind === "result" || event.kind === "failure");
    if (!end && this.#held.length === 0) return [line];
    if (this.#isRestart && end?.kind === "result" && answersNothing(end)) return [];
    if (end?.kind === "result" && !end.isError && this.#hasManyPrompts) return [...this.releaseEvents(), line];
    if (end) this.#message = (end.kind === "result" ? end.text : nonEmpty(end.facts.text)) ?? this.#message;
    this.#held.push(line);
    this.#heldSize += line.length;
    return this.#heldSize > maxHeldBytes ? this.releaseEvents() : [];
  }
}

/** A new turn has begun. */
const continues = ({ kind }: StreamEvent): boolean =>
  kind === "init" || kind === "text" || kind === "tool" || kind === "tool-result";

/** A resumed claude (2.1.326) also prints a result for the notice that its earlier background tasks are gone. */
const answersNothing = ({ isError, turns, text }: StreamResult): boolean => !isError && turns === 0 && !text;

/** The text of the result in a JSON document, which is a list of all events with `--verbose`. */
function resultIn(text: string): string | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return asText(asObject(Array.isArray(document) ? document.at(-1) : document)?.["result"]);
  } catch {
    return undefined;
  }
}

const nonEmpty = (text: string): string | undefined => (text.trim() === "" ? undefined : text);

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

import type { SafePoint } from "../../core/snapshot/restore-point.ts";
import { maximumTokens, tooManyTokens } from "../limits/error-wordings.ts";
import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { blocksOf } from "../message-blocks.ts";
import { decodeLine, type TranscriptLine } from "./transcript.ts";

/** The safe points of a transcript, and what its lines say about the context window. */
export interface ScannedPoints {
  /** Oldest first. */
  readonly points: readonly SafePoint[];
  /** Number of prompts. */
  readonly turns: number;
  /** The last point is the end of the transcript. */
  readonly endsSafely: boolean;
  /** The last lines call a tool whose result is missing. */
  readonly endsInToolCall: boolean;
  /** The last refusal as too long. */
  readonly refused: { readonly maximum: number | undefined } | undefined;
  /** Tokens of the last answered request. */
  readonly accepted: number | null;
  /** The context window that the name of the model says. */
  readonly named: number | undefined;
}

/** Bookkeeping that belongs to the message before it. Other lines without a uuid belong to the next request. */
const trailingTypes: ReadonlySet<unknown> = new Set(["last-prompt", "mode", "cost-state"]);

/** Low, so that an unknown size is rather too large: a point that does not fit costs another restore. */
const charactersPerToken = 3;

type Spoken = "prompt" | "results" | "answer" | "client";

/** Finds the places where a conversation can be cut. Lines come oldest first. */
export class PointScanner {
  readonly #points: SafePoint[] = [];
  readonly #openCalls = new Set<string>();
  /** The last line that a cut keeps, and what it is; undefined where a cut is not safe. */
  #end: Pick<SafePoint, "size" | "lines" | "time"> | undefined;
  #last: Spoken | undefined;
  #messageId: string | undefined;
  #turns = 0;
  /** Tokens up to and including the last answer; null when unknown, as after a compaction. */
  #tokens: number | null = null;
  /** Characters of tool results since then. */
  #unmeasured = 0;
  #accepted: number | null = null;
  #refused: ScannedPoints["refused"];
  #named: number | undefined;

  feed(line: TranscriptLine): void {
    if (!line.ended) return;
    const fields = parse(line.bytes);
    if (!fields || fields["isSidechain"] === true) return;
    if (fields["uuid"] === undefined) return this.#extend(fields, line);
    if (fields["subtype"] === "compact_boundary") return this.#compact();
    if (fields["type"] === "assistant") {
      if (fields["isApiErrorMessage"] === true) this.#readError(fields);
      else this.#readAnswer(fields, line);
    } else if (fields["type"] === "user") this.#readUser(fields, line);
  }

  finish(): ScannedPoints {
    const before = this.#points.length;
    this.#addPoint(this.#unit(), null);
    return {
      points: this.#points,
      endsSafely: this.#points.length > before,
      turns: this.#turns,
      endsInToolCall: this.#openCalls.size > 0,
      refused: this.#refused,
      accepted: this.#accepted,
      named: this.#named,
    };
  }

  #readAnswer(fields: JsonObject, line: TranscriptLine): void {
    const message = asObject(fields["message"]);
    // The client's own filler, which no request produced.
    if (message?.["model"] === "<synthetic>") return;
    const id = asText(message?.["id"]);
    const usage = asObject(message?.["usage"]);
    const input = inputTokens(usage);
    this.#measureLast(input);
    // One message is several lines, and results of its first calls may stand between them.
    if (id === undefined || id !== this.#messageId) {
      this.#addPoint("step", input);
      this.#openCalls.clear();
    }
    this.#messageId = id;
    for (const call of toolIds(message, "tool_use", "id")) this.#openCalls.add(call);
    if (input !== null) {
      this.#tokens = input + number(usage?.["output_tokens"]);
      this.#accepted = input;
      if (this.#refused && input > (this.#refused.maximum ?? 0)) this.#refused = undefined;
    }
    const model = asText(fields["requestedModel"]) ?? asText(message?.["model"]) ?? "";
    this.#named = /\[1m\]$/i.test(model) ? 1_000_000 : undefined;
    this.#unmeasured = 0;
    this.#keep("answer", fields, line);
  }

  #readError(fields: JsonObject): void {
    const details = asText(fields["errorDetails"]) ?? textOf(asObject(fields["message"]));
    if (isTooLong(details)) {
      const maximum = maximumTokens.exec(details)?.[1];
      this.#refused = { maximum: maximum === undefined ? undefined : Number(maximum) };
      this.#addPoint("step", Number(/(\d+) tokens/.exec(details)?.[1] ?? Infinity));
    } else this.#addPoint(this.#unit(), null);
    this.#end = undefined;
    this.#messageId = undefined;
  }

  #readUser(fields: JsonObject, line: TranscriptLine): void {
    const message = asObject(fields["message"]);
    const results = toolIds(message, "tool_result", "tool_use_id");
    if (results.length > 0) {
      for (const id of results) this.#openCalls.delete(id);
      this.#unmeasured += JSON.stringify(message?.["content"]).length;
      return this.#keep("results", fields, line);
    }
    const isOwn = fields["isMeta"] === true || fields["isCompactSummary"] === true;
    if (isOwn || /^(<(command|local-command|bash)-|\[Request interrupted)/.test(textOf(message).trim())) {
      // Only the lines after a compaction are a beginning; elsewhere a cut leaves the client's lines out.
      if (this.#last === undefined || this.#last === "client") this.#keep("client", fields, line);
      return;
    }
    this.#addPoint("turn", null);
    this.#openCalls.clear();
    this.#messageId = undefined;
    this.#turns++;
    this.#unmeasured += textOf(message).length;
    this.#keep("prompt", fields, line);
  }

  #keep(spoken: Spoken, fields: JsonObject, { offset, bytes, number: lines }: TranscriptLine): void {
    const time = Date.parse(asText(fields["timestamp"]) ?? "");
    this.#last = spoken;
    this.#end = { size: offset + bytes.length + 1, lines, time: Number.isNaN(time) ? null : time };
  }

  #extend(fields: JsonObject, { offset, bytes, number: lines }: TranscriptLine): void {
    if (this.#end?.size !== offset || !trailingTypes.has(fields["type"])) return;
    this.#end = { ...this.#end, size: offset + bytes.length + 1, lines };
  }

  #compact(): void {
    this.#addPoint(this.#unit(), null);
    this.#end = undefined;
    this.#messageId = undefined;
    this.#tokens = null;
    this.#last = undefined;
  }

  /** What ends here when no request follows. */
  #unit(): "turn" | "step" {
    return this.#last === "answer" ? "turn" : "step";
  }

  /** After a compaction, only the next request shows how large the summary is. */
  #measureLast(input: number | null): void {
    const last = this.#points.at(-1);
    if (last?.tokens === null) this.#points[this.#points.length - 1] = { ...last, tokens: input };
  }

  /** `next`: tokens of the request that follows the point, when it is known. */
  #addPoint(kind: "turn" | "step", next: number | null): void {
    const end = this.#end;
    if (!end || this.#openCalls.size > 0 || this.#last === undefined) return;
    if (this.#last === "client" && this.#turns === 0) return;
    const measured = this.#tokens === null ? null : this.#tokens + Math.ceil(this.#unmeasured / charactersPerToken);
    // An answer counts itself. Only the next request counts tool results or a prompt exactly.
    const tokens = this.#last === "answer" ? (measured ?? next) : (next ?? measured);
    const isOpen = this.#last === "prompt";
    if (isOpen && next === null) return;
    this.#points.push({ ...end, tokens, turn: this.#turns, kind: isOpen ? "prompt" : kind });
  }
}

const parse = (bytes: Uint8Array): JsonObject | undefined => parseObject(decodeLine(bytes));

const isTooLong = (details: string): boolean => tooManyTokens.test(details) || /^Prompt is too long/i.test(details);

const number = (value: unknown): number => (typeof value === "number" ? value : 0);

function inputTokens(usage: JsonObject | undefined): number | null {
  const names = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
  const total = names.reduce((sum, name) => sum + number(usage?.[name]), 0);
  return total > 0 ? total : null;
}

function toolIds(message: JsonObject | undefined, type: string, key: string): string[] {
  return blocksOf(message?.["content"]).flatMap((block) => (block["type"] === type ? (asText(block[key]) ?? []) : []));
}

function textOf(message: JsonObject | undefined): string {
  return blocksOf(message?.["content"])
    .map((block) => asText(block["text"]) ?? "")
    .join("\n");
}

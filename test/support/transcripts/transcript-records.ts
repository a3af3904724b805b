// Reads the client's transcripts, with the record fields that tests use.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";

export interface TranscriptBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export interface TranscriptRecord {
  readonly type: string;
  readonly subtype?: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly sessionId?: string;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: {
    readonly role: string;
    readonly model?: string;
    readonly content: string | readonly TranscriptBlock[];
    readonly usage?: {
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly cache_read_input_tokens?: number;
      readonly cache_creation_input_tokens?: number;
    };
  };
  readonly isApiErrorMessage?: boolean;
  readonly error?: string;
  readonly errorDetails?: string;
  readonly apiError?: string;
  readonly apiErrorStatus?: number;
  readonly quotaLimits?: {
    readonly status: string;
    readonly resetsAt: number;
    readonly rateLimitType: string;
    readonly overageStatus?: string;
  };
}

export type Transcript = readonly TranscriptRecord[];

export async function findTranscripts(configDir: string): Promise<readonly string[]> {
  if (!existsSync(configDir)) return [];
  const found: { path: string; createdMs: number }[] = [];
  for await (const name of new Bun.Glob("projects/*/*.jsonl").scan({ cwd: configDir, dot: true, onlyFiles: true })) {
    const path = join(configDir, name);
    found.push({ path, createdMs: (await stat(path)).birthtimeMs });
  }
  return found.sort((one, other) => one.createdMs - other.createdMs).map(({ path }) => path);
}

export async function readTranscript(path: string): Promise<Transcript> {
  const lines = (await Bun.file(path).text()).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as TranscriptRecord);
}

/** The messages of user and model, without bookkeeping and the client's meta messages. */
export function conversation(transcript: Transcript): Transcript {
  return transcript.filter(({ type, isMeta }) => (type === "user" || type === "assistant") && isMeta !== true);
}

/** The chain of `parentUuid` from the first record to the last message. */
export function chainOf(transcript: Transcript): Transcript {
  const byId = new Map(transcript.map((record) => [record.uuid, record]));
  const chain: TranscriptRecord[] = [];
  for (let record = conversation(transcript).at(-1); record !== undefined;) {
    chain.unshift(record);
    record = typeof record.parentUuid === "string" ? byId.get(record.parentUuid) : undefined;
  }
  return chain;
}

export function blocksOf({ message }: TranscriptRecord): readonly TranscriptBlock[] {
  const content = message?.content ?? [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The API error that is the last message of the conversation, if any. */
export function finalError(transcript: Transcript): TranscriptRecord | undefined {
  const last = conversation(transcript).at(-1);
  return last?.isApiErrorMessage === true ? last : undefined;
}

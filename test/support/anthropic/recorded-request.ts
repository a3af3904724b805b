// One request of the client, with its purpose.
import type { TranscriptBlock } from "../transcripts/transcript-records.ts";
import type { Answer } from "./replies.ts";

/**
 * main: a turn of the conversation (it has tools) · side: titles and other small questions · compaction: asks for a summary of
 * the conversation · count_tokens · other: not the Messages API.
 */
export type RequestKind = "main" | "side" | "compaction" | "count_tokens" | "other";

interface RequestMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly TranscriptBlock[];
}

export interface MessagesBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly RequestMessage[];
  readonly system?: unknown;
  readonly metadata?: { readonly user_id?: string };
  readonly tools?: readonly { readonly name: string }[];
}

export class RecordedRequest {
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: MessagesBody;
  /** Milliseconds since 1970. */
  readonly time = Date.now();
  /** What the API answered; set as soon as the reply is chosen. */
  answer: Answer | undefined;
  /** True when the story had no reply left. */
  unexpected = false;
  /** Settles when the exchange is over: fully answered, cut off by the test, or abandoned by the client. */
  readonly ended: Promise<"answered" | "cut" | "client left">;
  readonly end: (how: "answered" | "cut" | "client left") => void;

  constructor(method: string, path: string, headers: Headers, body: MessagesBody) {
    this.kind = classify(method, path, body);
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body;
    const { promise, resolve } = Promise.withResolvers<"answered" | "cut" | "client left">();
    this.ended = promise;
    this.end = resolve;
  }

  /** Older clients send it only inside the user id. */
  get sessionId(): string | undefined {
    const inUserId = /session_([0-9a-f-]{36})/.exec(this.body.metadata?.user_id ?? "")?.[1];
    return this.headers.get("x-claude-code-session-id") ?? inUserId;
  }

  /** All text of the last message that is not a note of a hook or of the client: the prompt or a tool's result. */
  get lastText(): string {
    const texts = (this.body.messages ?? []).map(({ content }) => textOf(content));
    return texts.findLast((text) => !isNote(text)) ?? "";
  }

  /** The whole conversation as one string. */
  get conversationText(): string {
    return (this.body.messages ?? []).map((message) => textOf(message.content)).join("\n");
  }

  get conversationBytes(): number {
    return Buffer.byteLength(JSON.stringify(this.body.messages ?? []));
  }
}

/** What a hook adds, and notes of the client (2.1.260, 2.1.300), come as messages of their own after the prompt. */
const isNote = (text: string): boolean =>
  text.startsWith("SessionStart hook additional context:") ||
  (text !== "" && text.replaceAll(/<(system-reminder|total_tokens)>[^]*?<\/\1>/g, "").trim() === "");

function classify(method: string, path: string, body: MessagesBody): RequestKind {
  const pathname = path.split("?")[0];
  if (method !== "POST") return "other";
  if (pathname === "/v1/messages/count_tokens") return "count_tokens";
  if (pathname !== "/v1/messages") return "other";
  // In some versions compaction has the conversation's system prompt and tools, so only its last message identifies it.
  const last = body.messages?.at(-1);
  if (last !== undefined && /create a detailed summary of the/.test(textOf(last.content))) return "compaction";
  return (body.tools?.length ?? 0) > 0 ? "main" : "side";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: TranscriptBlock) => block.text ?? textOf(block.content)).join("\n");
}

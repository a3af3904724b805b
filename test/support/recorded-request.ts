// One request as the client sent it, and what it was for.
import type { Answer } from "./replies.ts";

/**
 * main: a turn of the conversation (it carries tools) · side: titles and the like · compaction: asks for a summary of
 * the conversation · count_tokens · other: not the Messages API.
 */
export type RequestKind = "main" | "side" | "compaction" | "count_tokens" | "other";

interface RequestMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly RequestBlock[];
}

interface RequestBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
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
  /** What the API answered; set as soon as the reply is chosen. */
  answer: Answer | undefined;
  /** True when the story had no reply left for it. */
  unexpected = false;
  /** Settles when the exchange is over: fully answered, cut off by us, or given up by the client. */
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

  /** Older clients tell it only inside the user id. */
  get sessionId(): string | undefined {
    const inUserId = /session_([0-9a-f-]{36})/.exec(this.body.metadata?.user_id ?? "")?.[1];
    return this.headers.get("x-claude-code-session-id") ?? inUserId;
  }

  /** All text of the last message: the prompt, or what came back from a tool. */
  get lastText(): string {
    const last = this.body.messages?.at(-1);
    return last === undefined ? "" : textOf(last.content);
  }

  /** The conversation as one string, to ask whether something reached the model. */
  get conversationText(): string {
    return (this.body.messages ?? []).map((message) => textOf(message.content)).join("\n");
  }

  get conversationBytes(): number {
    return Buffer.byteLength(JSON.stringify(this.body.messages ?? []));
  }
}

function classify(method: string, path: string, body: MessagesBody): RequestKind {
  const pathname = path.split("?")[0];
  if (method !== "POST") return "other";
  if (pathname === "/v1/messages/count_tokens") return "count_tokens";
  if (pathname !== "/v1/messages") return "other";
  // Compaction reuses the conversation's system prompt and tools in some versions: only its last message tells it apart.
  const last = body.messages?.at(-1);
  if (last !== undefined && /create a detailed summary of the/.test(textOf(last.content))) return "compaction";
  return (body.tools?.length ?? 0) > 0 ? "main" : "side";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: RequestBlock) => block.text ?? textOf(block.content)).join("\n");
}

// The wire format of the Messages API: a message as server-sent events, as one JSON body, and as an error.

export interface TokenUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheCreation?: number;
}

export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

export interface WireMessage {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ContentBlock[];
  readonly usage: TokenUsage;
  /** Why the model stopped; undefined follows from the blocks. */
  readonly stopReason: string | undefined;
}

/** The events before the point where a broken or hanging stream stops, and those after it. */
export interface MessageStream {
  readonly beforeCut: readonly string[];
  readonly afterCut: readonly string[];
}

/** The cut is inside the last text block or right after the last tool call; clients handle the two cases differently. */
export function messageStream(message: WireMessage): MessageStream {
  const started = [event({ type: "message_start", message: { ...envelope(message), content: [], stop_reason: null } })];
  const blocks = message.blocks.map(blockEvents);
  const last = blocks.pop();
  const beforeCut = [...started, event({ type: "ping" }), ...blocks.flat()];
  const afterCut = [
    event({
      type: "message_delta",
      delta: { stop_reason: stopReason(message), stop_sequence: null },
      usage: { output_tokens: message.usage.output ?? defaultUsage.output },
    }),
    event({ type: "message_stop" }),
  ];
  if (last === undefined) return { beforeCut, afterCut };
  const closing = message.blocks.at(-1)?.type === "text" ? last.splice(-1) : [];
  return { beforeCut: [...beforeCut, ...last], afterCut: [...closing, ...afterCut] };
}

export function messageBody(message: WireMessage): string {
  return JSON.stringify({ ...envelope(message), content: message.blocks, stop_reason: stopReason(message) });
}

export function errorBody(type: string, message: string): string {
  return JSON.stringify({ type: "error", error: { type, message } });
}

const defaultUsage = { input: 100, output: 10 };

function envelope({ id, model, usage }: WireMessage): Record<string, unknown> {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input ?? defaultUsage.input,
      output_tokens: usage.output ?? defaultUsage.output,
      cache_read_input_tokens: usage.cacheRead ?? 0,
      cache_creation_input_tokens: usage.cacheCreation ?? 0,
    },
  };
}

function stopReason({ blocks, stopReason: given }: WireMessage): string {
  return given ?? (blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn");
}

function blockEvents(block: ContentBlock, index: number): string[] {
  return [
    event({ type: "content_block_start", index, content_block: emptyBlock(block) }),
    ...deltas(block).map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function emptyBlock(block: ContentBlock): Record<string, unknown> {
  return block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
}

function deltas(block: ContentBlock): readonly Record<string, unknown>[] {
  if (block.type === "text") return halves(block.text).map((text) => ({ type: "text_delta", text }));
  return halves(JSON.stringify(block.input)).map((part) => ({ type: "input_json_delta", partial_json: part }));
}

// Two pieces, so that a client that does not join them fails.
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== "");
}

function event(data: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

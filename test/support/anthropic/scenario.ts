// A story lists the API's replies in the order in which they are sent:
// story().callsTool("Bash", { command: "echo one > a.txt" }).fails.overloaded().says("done")
import type { LimitReached } from "./limit-headers.ts";
import { callsTool, drops, failure, hangs, says, saysNothing, type Reply, type ReplyOptions } from "./replies.ts";

/** How often a reply is sent before the next one; `Infinity` makes it the last one. */
export interface Repeated {
  readonly times?: number;
}

export class Story {
  /** Replies to main requests, in order. */
  readonly script: { readonly reply: Reply; readonly times: number }[] = [];
  compaction: Reply = says("<analysis>short</analysis>\n<summary>What happened so far, in short.</summary>");
  readonly side: Reply = says("A short title");
  /** Conversations larger than this many bytes are refused as too long, compaction requests included. */
  largestConversation = Infinity;

  /** Adds any reply, also one that is a function of the request. */
  answers(reply: Reply, { times = 1 }: Repeated = {}): this {
    this.script.push({ reply, times });
    return this;
  }

  says(text: string, options: ReplyOptions & Repeated = {}): this {
    return this.answers(says(text, options), options);
  }

  saysNothing(options: ReplyOptions & Repeated = {}): this {
    return this.answers(saysNothing(options), options);
  }

  callsTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: Parameters<typeof callsTool>[2] & Repeated = {},
  ): this {
    return this.answers(callsTool(name, input, options), options);
  }

  hangs(options: NonNullable<Parameters<typeof hangs>[0]> & Repeated = {}): this {
    return this.answers(hangs(options), options);
  }

  drops(options: NonNullable<Parameters<typeof drops>[0]> & Repeated = {}): this {
    return this.answers(drops(options), options);
  }

  /** Refusals. Clients retry some of them; `times` says how often the API refuses. */
  readonly fails = {
    limit: (limit: LimitReached & Repeated): this => this.answers(failure.limit(limit), limit),
    apiKeyLimit: (repeated: Repeated = {}): this => this.answers(failure.apiKeyLimit(), repeated),
    overloaded: (repeated: Repeated = {}): this => this.answers(failure.overloaded(), repeated),
    serverError: (repeated: Repeated = {}): this => this.answers(failure.serverError(), repeated),
    unauthorized: (repeated: Repeated = {}): this => this.answers(failure.unauthorized(), repeated),
    creditBalance: (repeated: Repeated = {}): this => this.answers(failure.creditBalance(), repeated),
    promptTooLong: (options: Parameters<typeof failure.promptTooLong>[0] & Repeated = {}): this =>
      this.answers(failure.promptTooLong(options), options),
  };

  /** Refuses every conversation over this size, from the start of the story; system prompt and tools do not count. */
  refusesConversationsOver(size: { readonly bytes: number } | { readonly tokens: number }): this {
    this.largestConversation = "bytes" in size ? size.bytes : size.tokens * bytesPerToken;
    return this;
  }

  whenCompacting(reply: Reply): this {
    this.compaction = reply;
    return this;
  }
}

/** The fake API's estimate. */
export const bytesPerToken = 4;

export function story(): Story {
  return new Story();
}

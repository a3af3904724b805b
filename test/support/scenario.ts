// A story is what the API will do, reply by reply, so that a test reads in the order in which things happen:
// story().callsTool("Bash", { command: "echo one > a.txt" }).fails.overloaded().says("done")
import type { LimitReached } from "./limit-headers.ts";
import { callsTool, drops, failure, hangs, says, type Reply, type ReplyOptions } from "./replies.ts";

/** How often a reply is played before the story goes on; `Infinity` ends the story with it. */
export interface Repeated {
  readonly times?: number;
}

export class Story {
  /** Replies to main requests, in order. */
  readonly script: { readonly reply: Reply; readonly times: number }[] = [];
  compaction: Reply = says("<analysis>short</analysis>\n<summary>What happened so far, in short.</summary>");
  side: Reply = says("A short title");
  /** Conversations larger than this many bytes are refused as too long, compaction requests included. */
  largestConversation = Infinity;

  /** Any reply: made by hand, or a function of the request. */
  answers(reply: Reply, { times = 1 }: Repeated = {}): this {
    this.script.push({ reply, times });
    return this;
  }

  says(text: string, options: ReplyOptions & Repeated = {}): this {
    return this.answers(says(text, options), options);
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

  /** Refusals. A client retries some of them: say with `times` how long they last. */
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

  /** From the start of the story on, refuses every conversation over this size; system prompt and tools do not count. */
  refusesConversationsOver(size: { readonly bytes: number } | { readonly tokens: number }): this {
    this.largestConversation = "bytes" in size ? size.bytes : size.tokens * bytesPerToken;
    return this;
  }

  whenCompacting(reply: Reply): this {
    this.compaction = reply;
    return this;
  }

  whenAskedAside(reply: Reply): this {
    this.side = reply;
    return this;
  }
}

/** The rule of thumb by which this API counts tokens. */
export const bytesPerToken = 4;

export function story(): Story {
  return new Story();
}

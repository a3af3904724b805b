// A Messages API on loopback that plays a story and records every request of the client.
import { once } from "node:events";
// Bun.serve cannot cut a connection after the first bytes were sent.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { errorBody } from "./sse.ts";
import { playAnswer, sendJson } from "./play-answer.ts";
import { RecordedRequest, type MessagesBody } from "./recorded-request.ts";
import { failure, says, type Reply } from "./replies.ts";
import { bytesPerToken, story as emptyStory, type Story } from "./scenario.ts";

export const noReplyLeft = "The fake API has no reply left in its story.";

const requestTimeoutMs = 240_000;

export async function fakeAnthropic(story: Story = emptyStory()): Promise<FakeAnthropic> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  return new FakeAnthropic(server, story);
}

export class FakeAnthropic implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly url: string;
  readonly #server: Server;
  readonly #watchers = new Set<() => void>();
  #story: Story;
  #script: { readonly reply: Reply; times: number }[];
  #hanging = Promise.withResolvers<"release" | "drop">();

  constructor(server: Server, story: Story) {
    this.#story = story;
    this.#script = story.script.map((step) => ({ ...step }));
    this.#server = server.on("request", (request, response) => void this.#handle(request, response));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the fake API did not get a port");
    this.url = `http://127.0.0.1:${address.port}`;
  }

  get mainRequests(): readonly RecordedRequest[] {
    return this.requests.filter((request) => request.kind === "main");
  }

  /** Main requests that arrived after the story's last reply. */
  get unexpected(): readonly RecordedRequest[] {
    return this.requests.filter((request) => request.unexpected);
  }

  /** Waits for the n-th main request, counted from 1. */
  request(n: number): Promise<RecordedRequest> {
    return this.until((request) => request === this.mainRequests[n - 1], `main request ${n}`);
  }

  /** Waits for a request that the predicate accepts; earlier requests count as well. */
  until(predicate: (request: RecordedRequest) => boolean, what = "the expected request"): Promise<RecordedRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<RecordedRequest>();
    const giveUp = () => reject(new Error(`${what} did not arrive; got ${this.#summary()}`));
    const deadline = setTimeout(giveUp, requestTimeoutMs);
    const look = () => {
      const found = this.requests.find(predicate);
      if (found !== undefined) resolve(found);
    };
    this.#watchers.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(deadline);
      this.#watchers.delete(look);
    });
  }

  /** Completes every stream that hangs now. */
  release(): void {
    this.#resolveHanging("release");
  }

  /** Cuts the connection of every stream that hangs now. */
  drop(): void {
    this.#resolveHanging("drop");
  }

  /** Replaces the rest of the story, for example before the test resumes the client. */
  plays(story: Story): void {
    this.#story = story;
    this.#script = story.script.map((step) => ({ ...step }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = new RecordedRequest(
      incoming.method ?? "",
      incoming.url ?? "",
      headersOf(incoming),
      await bodyOf(incoming),
    );
    response.on("close", () => request.end(response.writableFinished ? "answered" : "client left"));
    let reply = this.#choose(request);
    this.requests.push(request);
    const turn = { number: this.requests.length, resolution: this.#hanging.promise };
    for (const look of this.#watchers) look();
    if (request.kind === "other") return sendJson(response, 404, errorBody("not_found_error", "Not found"));
    if (request.kind === "count_tokens") {
      return sendJson(response, 200, JSON.stringify({ input_tokens: tokens(request.conversationBytes) }));
    }
    while (typeof reply === "function") reply = await reply(request);
    request.answer = reply;
    await playAnswer(response, request, reply, turn);
  }

  #choose(request: RecordedRequest): Reply {
    if (request.kind !== "main" && request.kind !== "compaction") return this.#story.side;
    const { largestConversation } = this.#story;
    if (request.conversationBytes > largestConversation) {
      return failure.promptTooLong({
        tokens: tokens(request.conversationBytes),
        maximum: tokens(largestConversation),
      });
    }
    if (request.kind === "compaction") return this.#story.compaction;
    const step = this.#script[0];
    if (step === undefined) {
      request.unexpected = true;
      return says(noReplyLeft);
    }
    step.times -= 1;
    if (step.times <= 0) this.#script.shift();
    return step.reply;
  }

  #resolveHanging(how: "release" | "drop"): void {
    this.#hanging.resolve(how);
    this.#hanging = Promise.withResolvers();
  }

  #summary(): string {
    return this.requests.map((request) => `${request.kind} ${request.method} ${request.path}`).join(", ") || "none";
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).map(([name, values]): [string, string] => [
    name,
    (values ?? []).join(", "),
  ]);
  return new Headers(pairs);
}

async function bodyOf(incoming: IncomingMessage): Promise<MessagesBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as MessagesBody;
  } catch {
    return {};
  }
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

// Tests the fake API itself with plain requests.
import { expect, test } from "bun:test";
import { fakeAnthropic, noReplyLeft, type FakeAnthropic } from "./fake-anthropic.ts";
import { says } from "./replies.ts";
import { story } from "./scenario.ts";

const tools = [{ name: "Bash" }];

test("a streamed reply delivers the whole message in small events", async () => {
  await using api = await fakeAnthropic(story().callsTool("Bash", { command: "ls" }, { saying: "Let me look." }));

  const stream = await (await ask(api, "Look", { tools, stream: true })).text();

  const block = ["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"];
  const events = ["message_start", "ping", ...block, ...block, "message_delta", "message_stop"];
  expect([...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name ?? "")).toEqual(events);
  const input = [...stream.matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)].map(([, part]) => JSON.parse(part ?? ""));
  expect(JSON.parse(input.join(""))).toEqual({ command: "ls" });
  expect(stream).toContain('"stop_reason":"tool_use"');
});

test("replies follow the order of the story, and an extra request gets a recognizable answer", async () => {
  await using api = await fakeAnthropic(
    story()
      .fails.overloaded({ times: 2 })
      .answers((request) => says(`You said: ${request.lastText}`)),
  );

  const replies = [];
  for (const prompt of ["one", "two", "three", "four"]) replies.push(await ask(api, prompt, { tools }));

  expect(replies.map((reply) => reply.status)).toEqual([529, 529, 200, 200]);
  expect(await replies[2]?.text()).toContain("You said: three");
  expect(await replies[3]?.text()).toContain(noReplyLeft);
  expect(api.unexpected.map((request) => request.lastText)).toEqual(["four"]);
});

test("every repetition of a tool call has its own id", async () => {
  await using api = await fakeAnthropic(story().callsTool("Bash", { command: "ls" }, { times: 2 }));

  const calls = [await ask(api, "one", { tools }), await ask(api, "two", { tools })];

  const ids = await Promise.all(calls.map(async (call) => /toolu_fake_\d+/.exec(await call.text())?.[0] ?? "no id"));
  expect(new Set(ids).size).toBe(2);
});

test("a request that is not a turn of the conversation consumes no reply of the story", async () => {
  await using api = await fakeAnthropic(story().says("The turn."));

  await ask(api, "A title, please");
  await ask(api, "Your task is to create a detailed summary of the conversation so far", { tools });
  await fetch(`${api.url}/v1/messages/count_tokens`, { method: "POST", body: JSON.stringify({ messages: [] }) });
  await fetch(`${api.url}/v1/models`);
  const turn = await ask(api, "Go", { tools });

  expect(api.requests.map(({ kind }) => kind)).toEqual(["side", "compaction", "count_tokens", "other", "main"]);
  expect(await turn.text()).toContain("The turn.");
});

test("a conversation over the size limit is refused, and so is its compaction", async () => {
  await using api = await fakeAnthropic(story().refusesConversationsOver({ tokens: 100 }).says("It fits."));
  const summary = "Your task is to create a detailed summary of the conversation";

  const large = await ask(api, "x".repeat(1000), { tools });
  const compaction = await ask(api, summary + "x".repeat(1000), { tools });
  const small = await ask(api, "x", { tools });

  expect(await large.text()).toMatch(/prompt is too long: \d+ tokens > 100 maximum/);
  expect([large.status, compaction.status, small.status]).toEqual([400, 400, 200]);
});

test("a test can wait for a request before it arrives", async () => {
  await using api = await fakeAnthropic(story().says("one").says("two"));
  const second = api.request(2);
  const named = api.until((request) => request.lastText === "later");

  await ask(api, "now", { tools });
  await ask(api, "later", { tools });

  expect(await second).toBe(await named);
});

test("a limit sets the reply's headers, with the reset counted from the moment of the reply", async () => {
  await using api = await fakeAnthropic(story().fails.limit({ window: "seven_day", resetsInSeconds: 60 }));
  const before = Math.floor(Date.now() / 1000);

  const { headers, status } = await ask(api, "Go", { tools });

  expect(status).toBe(429);
  expect(headers.get("anthropic-ratelimit-unified-representative-claim")).toBe("seven_day");
  expect(Number(headers.get("anthropic-ratelimit-unified-reset"))).toBeGreaterThanOrEqual(before + 60);
  expect(headers.get("anthropic-ratelimit-unified-7d-status")).toBe("rejected");
});

test("a test can cut a hanging stream", async () => {
  await using api = await fakeAnthropic(story().hangs({ saying: "I will" }));
  const reply = await ask(api, "Go", { tools, stream: true });

  api.drop();

  await expect(reply.text()).rejects.toThrow();
  expect(await api.mainRequests[0]?.ended).toBe("cut");
});

function ask(api: FakeAnthropic, prompt: string, more: object = {}): Promise<Response> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: prompt }], ...more });
  return fetch(`${api.url}/v1/messages?beta=true`, { method: "POST", body });
}

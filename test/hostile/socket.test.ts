// What comes over a host's socket that no client of ours sends: the host and its program go on, and so does everybody attached.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encodeFrame, type Frame, largestInput, protocolVersion } from "../../src/core/frames.ts";
import { inFull, tally } from "../faults/extent.ts";
import { TestClient } from "../support/host-client.ts";
import { hostRecord, startHost } from "../support/host-world.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { corpus, distort, distortions } from "./corpus.ts";

setDefaultTimeout(inFull ? 1_800_000 : 120_000);

const size = { columns: 80, rows: 24 };
const hello: Frame = { kind: "hello", version: protocolVersion, size, notice: null };
const repeater = ["/bin/sh", "-c", 'while read -r line; do echo "<$line>"; done'] as const;
const seed = 20_261_117;
const mostMemory = 250_000_000;

/** With the length and kind that are given, whatever it holds. */
function raw(kind: number, content: string | Uint8Array, length = content.length + 1): Uint8Array {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(length);
  head[4] = kind;
  return Buffer.concat([head, bytes]);
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** Resident, in bytes, by the word of the kernel. */
function memoryOf(sandbox: Sandbox): number {
  const pid = hostRecord(sandbox).running?.host.pid;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** The program answers: it lives, and its host does. */
async function expectAlive(client: TestClient, nth: number): Promise<void> {
  // A stranger with a proper greeting may have begun a line.
  client.type(`\rword-${nth}\r`);
  await client.untilText(`<word-${nth}>`);
}

/** Sends it on a connection of its own, which the host may close or keep. */
async function send(path: string, ...parts: readonly Uint8Array[]): Promise<TestClient> {
  const stranger = await TestClient.connect(path);
  for (const part of parts) stranger.send(part);
  return stranger;
}

const frames: readonly Frame[] = [hello, { ...hello, notice: "how to leave" }, { kind: "resize", size }];

const distorted = frames.flatMap((frame) => {
  const whole = encodeFrame(frame);
  const content = new TextDecoder().decode(whole.subarray(5));
  return Array.from({ length: distortions(content) }, (_, nth) => raw(whole[4] ?? 0, distort(content, nth)));
});

test("anything at all, from strangers: whoever is attached types on", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const path = await startHost(sandbox, repeater);
  using attached = await TestClient.attach(path);
  const noise = [
    ...Object.values(corpus).map((content) => bytesOf(content).subarray(0, 200_000)),
    ...fc.sample(fc.uint8Array({ maxLength: 300 }), { seed, numRuns: inFull ? 2_000 : 100 }),
    raw(2, "input before a hello"),
    raw(1, "", 0xff_ff_ff_ff),
    raw(2, "", largestInput + 2),
    ...[0, 5, 16, 17, 18, 19, 255].map((kind) => raw(kind, "{}")),
    ...distorted,
  ];
  let nth = 0;
  for (const bytes of noise) {
    // Once as the first word, once behind a proper greeting.
    const strangers = [await send(path, bytes), await send(path, encodeFrame(hello), bytes)];
    if (nth++ % 20 === 0) await expectAlive(attached, nth);
    for (const stranger of strangers) stranger[Symbol.dispose]();
  }
  await expectAlive(attached, nth + 1);
  expect(memoryOf(sandbox)).toBeLessThan(mostMemory);
  tally(noise.length * 2, "hostile bytes on a host's socket");
});

test("a greeting comes once, and first", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const path = await startHost(sandbox, repeater);
  const wrong: readonly (readonly Frame[])[] = [
    [{ kind: "input", bytes: Buffer.from("x") }],
    [{ kind: "resize", size }],
    [{ kind: "redraw" }],
    [hello, hello],
  ];
  for (const said of wrong) {
    using stranger = await send(path, ...said.map(encodeFrame));
    await stranger.until(() => stranger.isClosed, "the end of the connection");
    expect(stranger.frames.at(-1)).toBe("refusal");
  }
});

test("many that come and say nothing, or half a word, or the same again and again without listening", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const path = await startHost(sandbox, repeater);
  using attached = await TestClient.attach(path);
  using crowd = new DisposableStack();
  for (let nth = 0; nth < 200; nth++) crowd.use(await send(path));
  for (let nth = 0; nth < 100; nth++) crowd.use(await send(path, encodeFrame(hello).subarray(0, 3)));
  await expectAlive(attached, 1);
  const said: readonly Frame[] = [hello, { kind: "redraw" }, { kind: "resize", size }];
  for (const [nth, frame] of said.entries()) {
    const deaf = crowd.use(await send(path, encodeFrame(hello)));
    deaf.freeze();
    deaf.send(Buffer.concat(Array.from({ length: 10_000 }, () => encodeFrame(frame))));
    await expectAlive(attached, 2 + nth);
  }
  expect(memoryOf(sandbox)).toBeLessThan(mostMemory);
  tally(303, "silent and deaf clients of a host");
});

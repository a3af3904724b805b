// Invalid input on a host's socket: the host, its program and the attached clients keep working.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encodeFrame, type Frame, maxInputBytes, protocolVersion } from "../../src/core/host/frames.ts";
import { inFull, tally } from "../faults/extent.ts";
import { TestClient } from "../support/terminal/host-client.ts";
import { hostRecord, startHost } from "../support/terminal/host-world.ts";
import { createSandbox, type Sandbox } from "../support/sandbox/sandbox.ts";
import { corpus, distort, distortions } from "./corpus.ts";

if (inFull) setDefaultTimeout(1_800_000);

const size = { columns: 80, rows: 24 };
const hello: Frame = { kind: "hello", version: protocolVersion, size, notice: null };
const echoProgram = ["/bin/sh", "-c", 'while read -r line; do echo "<$line>"; done'] as const;
const seed = 20_261_117;
const maxMemoryBytes = 250_000_000;

/** Builds a frame with any kind and length, even wrong ones. */
function raw(kind: number, content: string | Uint8Array, length = content.length + 1): Uint8Array {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(length);
  head[4] = kind;
  return Buffer.concat([head, bytes]);
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** Resident memory in bytes, read from /proc. */
function memoryOf(sandbox: Sandbox): number {
  const pid = hostRecord(sandbox).running?.host.pid;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** The program echoes, so it and its host are alive. */
async function expectAlive(client: TestClient, nth: number): Promise<void> {
  // A stranger with a valid hello may have typed half a line.
  client.type(`\rword-${nth}\r`);
  await client.untilText(`<word-${nth}>`);
}

/** Sends the parts on a new connection, which the host may close or keep open. */
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

test("an attached client keeps working while strangers send arbitrary bytes", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const path = await startHost(sandbox, echoProgram);
  using attached = await TestClient.attach(path);
  const noise = [
    ...Object.values(corpus).map((content) => bytesOf(content).subarray(0, 200_000)),
    ...fc.sample(fc.uint8Array({ maxLength: 300 }), { seed, numRuns: inFull ? 2_000 : 100 }),
    raw(2, "input before a hello"),
    raw(1, "", 0xff_ff_ff_ff),
    raw(2, "", maxInputBytes + 2),
    ...[0, 5, 16, 17, 18, 19, 255].map((kind) => raw(kind, "{}")),
    ...distorted,
  ];
  let nth = 0;
  for (const bytes of noise) {
    // Once as the first bytes, once after a valid hello.
    const strangers = [await send(path, bytes), await send(path, encodeFrame(hello), bytes)];
    if (nth++ % 20 === 0) await expectAlive(attached, nth);
    for (const stranger of strangers) stranger[Symbol.dispose]();
  }
  await expectAlive(attached, nth + 1);
  expect(memoryOf(sandbox)).toBeLessThan(maxMemoryBytes);
  tally(noise.length * 2, "hostile bytes on a host's socket");
});

test("the host refuses a client whose hello is not first or is repeated", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const path = await startHost(sandbox, echoProgram);
  const wrong: readonly (readonly Frame[])[] = [
    [{ kind: "input", bytes: Buffer.from("x") }],
    [{ kind: "resize", size }],
    [{ kind: "redraw" }],
    [hello, hello],
  ];
  for (const sent of wrong) {
    using stranger = await send(path, ...sent.map(encodeFrame));
    await stranger.until(() => stranger.isClosed, "the end of the connection");
    expect(stranger.frames.at(-1)).toBe("refusal");
  }
});

test("an attached client keeps working beside silent, half-open and flooding clients", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const path = await startHost(sandbox, echoProgram);
  using attached = await TestClient.attach(path);
  using crowd = new DisposableStack();
  for (let nth = 0; nth < 200; nth++) crowd.use(await send(path));
  for (let nth = 0; nth < 100; nth++) crowd.use(await send(path, encodeFrame(hello).subarray(0, 3)));
  await expectAlive(attached, 1);
  const repeated: readonly Frame[] = [hello, { kind: "redraw" }, { kind: "resize", size }];
  for (const [nth, frame] of repeated.entries()) {
    const nonReader = crowd.use(await send(path, encodeFrame(hello)));
    nonReader.freeze();
    nonReader.send(Buffer.concat(Array.from({ length: 10_000 }, () => encodeFrame(frame))));
    await expectAlive(attached, 2 + nth);
  }
  expect(memoryOf(sandbox)).toBeLessThan(maxMemoryBytes);
  tally(303, "silent and non-reading clients of a host");
});

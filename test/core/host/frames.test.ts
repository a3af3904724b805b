import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  BrokenFrame,
  encodeFrame,
  type Frame,
  FrameReader,
  hostCommands,
  maxFrameBytes,
  maxInputBytes,
  passedSignals,
} from "../../../src/core/host/frames.ts";

const size = fc.record({ columns: fc.nat(2_000), rows: fc.nat(2_000) });
const bytes = fc.uint8Array({ maxLength: 300 });
const frame: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({
    kind: fc.constant("hello" as const),
    version: fc.nat(),
    size,
    notice: fc.constantFrom(null, "a · b"),
    detachKey: fc.constantFrom(null, "Ctrl-\\ d"),
  }),
  fc.record({ kind: fc.constant("command" as const), name: fc.constantFrom(...hostCommands) }),
  fc.record({ kind: fc.constantFrom("input" as const, "output" as const), bytes }),
  fc.record({ kind: fc.constant("resize" as const), size }),
  fc.record({ kind: fc.constantFrom("redraw" as const, "continue" as const, "stopped" as const) }),
  fc.record({ kind: fc.constant("leave" as const), how: fc.constantFrom("detach" as const, "hangup" as const) }),
  fc.record({ kind: fc.constant("signal" as const), name: fc.constantFrom(...passedSignals) }),
  fc.record({ kind: fc.constant("welcome" as const), version: fc.nat() }),
  fc.record({
    kind: fc.constant("end" as const),
    end: fc.record({ exitCode: fc.nat(255), signal: fc.constantFrom(null, "SIGKILL") }),
  }),
  fc.record({ kind: fc.constant("refusal" as const), reason: fc.string() }),
);

test("FrameReader returns the encoded frames however the bytes are split", () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 30 }), (frames, cuts) => {
      const all = Buffer.concat(frames.map(encodeFrame));
      const reader = new FrameReader(maxFrameBytes);
      const read: Frame[] = [];
      let at = 0;
      for (const cut of [...cuts, all.length]) {
        read.push(...reader.push(all.subarray(at, at + cut)));
        at += cut;
      }
      expect(read.map(plain)).toEqual(frames.map(plain));
    }),
  );
});

const plain = (one: Frame): object => ("bytes" in one ? { ...one, bytes: [...one.bytes] } : one);

describe("FrameReader", () => {
  const raw = (length: number, kind: number, content: string): Uint8Array => {
    const text = Buffer.from(content);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(length);
    head[4] = kind;
    return Buffer.concat([head, text]);
  };
  test.each([
    ["noise", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["a frame without a kind", raw(0, 0, "")],
    ["an unknown kind", raw(1, 99, "")],
    ["a length above the limit before the content arrives", raw(maxInputBytes + 2, 2, "")],
    ["a size that is not a number", raw(40, 3, '{"size":{"columns":"80","rows":24}    }')],
    ["a hello without a size", raw(14, 1, '{"version":1}')],
    ["a signal that clients do not pass on", raw(19, 6, '{"name":"SIGKILL"}')],
    ["content that is not JSON", raw(4, 3, "}{}")],
    ["JSON that is not an object", raw(3, 3, "12")],
  ])("refuses %s", (_, content) => {
    expect(() => new FrameReader(maxInputBytes).push(content)).toThrow(BrokenFrame);
  });

  test("accepts a frame of exactly the limit", () => {
    const [read] = new FrameReader(maxInputBytes).push(
      encodeFrame({ kind: "input", bytes: new Uint8Array(maxInputBytes) }),
    );
    expect(read).toMatchObject({ kind: "input" });
  });

  test("removes control characters from a notice", () => {
    const hello = encodeFrame({ kind: "hello", version: 1, size: { columns: 1, rows: 1 }, notice: "a\x1b[2J\r\nb" });
    expect(new FrameReader(maxInputBytes).push(hello)).toMatchObject([{ notice: "a [2J  b" }]);
  });
});

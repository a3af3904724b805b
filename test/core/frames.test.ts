import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  BrokenFrame,
  encodeFrame,
  type Frame,
  FrameReader,
  largestFrame,
  largestInput,
} from "../../src/core/frames.ts";

const size = fc.record({ columns: fc.nat(2_000), rows: fc.nat(2_000) });
const bytes = fc.uint8Array({ maxLength: 300 });
const frame: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ kind: fc.constant("hello" as const), version: fc.nat(), size, notice: fc.constantFrom(null, "a · b") }),
  fc.record({ kind: fc.constantFrom("input" as const, "output" as const), bytes }),
  fc.record({ kind: fc.constant("resize" as const), size }),
  fc.constant({ kind: "redraw" as const }),
  fc.record({ kind: fc.constant("welcome" as const), version: fc.nat() }),
  fc.record({
    kind: fc.constant("end" as const),
    end: fc.record({ exitCode: fc.nat(255), signal: fc.constantFrom(null, "SIGKILL") }),
  }),
  fc.record({ kind: fc.constant("refusal" as const), reason: fc.string() }),
);

test("frames come out as they went in, however the bytes were cut", () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 30 }), (frames, cuts) => {
      const all = Buffer.concat(frames.map(encodeFrame));
      const reader = new FrameReader(largestFrame);
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

describe("what is no frame is refused, and nothing of it is kept", () => {
  const raw = (length: number, kind: number, content: string): Uint8Array => {
    const text = Buffer.from(content);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(length);
    head[4] = kind;
    return Buffer.concat([head, text]);
  };
  test.each([
    ["noise", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["no kind", raw(0, 0, "")],
    ["an unknown kind", raw(1, 99, "")],
    ["more than is allowed, before it has come", raw(largestInput + 2, 2, "")],
    ["a size that is no number", raw(40, 3, '{"size":{"columns":"80","rows":24}    }')],
    ["a hello without a size", raw(14, 1, '{"version":1}')],
    ["no JSON", raw(4, 3, "}{}")],
    ["JSON that is no object", raw(3, 3, "12")],
  ])("%s", (_, content) => {
    expect(() => new FrameReader(largestInput).push(content)).toThrow(BrokenFrame);
  });

  test("the largest is taken", () => {
    const [read] = new FrameReader(largestInput).push(
      encodeFrame({ kind: "input", bytes: new Uint8Array(largestInput) }),
    );
    expect(read).toMatchObject({ kind: "input" });
  });

  test("a notice cannot move a cursor", () => {
    const hello = encodeFrame({ kind: "hello", version: 1, size: { columns: 1, rows: 1 }, notice: "a\x1b[2J\r\nb" });
    expect(new FrameReader(largestInput).push(hello)).toMatchObject([{ notice: "a [2J  b" }]);
  });
});

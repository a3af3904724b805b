import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, integer, property, uint8Array } from "fast-check";
import { type HeldOutput, holdOutput, type PrintFormat } from "../../../src/claude/stream/held-output.ts";

const stream: PrintFormat = { output: "stream-json", input: undefined };
const manyPrompts: PrintFormat = { output: "stream-json", input: "stream-json" };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString("latin1");
const line = (event: object): string => `${JSON.stringify(event)}\n`;

const init = line({ type: "system", subtype: "init", session_id: "s" });
const answer = line({ type: "assistant", message: { model: "claude", content: [{ type: "text", text: "Hello." }] } });
const error = line({
  type: "assistant",
  error: "rate_limit",
  message: { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit" }] },
});
const failed = line({ type: "result", is_error: true, subtype: "success", result: "You've hit your limit" });
const result = line({ type: "result", is_error: false, subtype: "success", result: "Hello." });
const task = line({ type: "system", subtype: "task_updated" });

function takeAll(held: HeldOutput, ...lines: string[]): string {
  return lines.map((each) => text(held.take(bytes(each)))).join("");
}

test("passes every byte on in order, however the output is cut, when the attempt is the last one", () => {
  const parts = constantFrom(init, answer, error, failed, result, task, "no JSON\n", "cut");
  const formats = constantFrom(
    stream,
    manyPrompts,
    { output: "json", input: undefined },
    { output: undefined, input: undefined },
  );
  assert(
    property(
      array(parts),
      array(uint8Array()),
      integer({ min: 1, max: 200 }),
      formats,
      (lines, noise, size, format) => {
        const whole = Buffer.concat([...lines.map(bytes), ...noise]);
        const held = holdOutput(format);
        const passed: Uint8Array[] = [];
        for (let at = 0; at < whole.length; at += size) passed.push(...held.take(whole.subarray(at, at + size)));
        passed.push(...held.release());
        expect(Buffer.concat(passed).equals(whole)).toBe(true);
      },
    ),
  );
});

describe("text and JSON", () => {
  test.each([undefined, "text", "json"])("are held until the end is judged: %s", (output) => {
    const held = holdOutput({ output, input: undefined });
    expect(takeAll(held, "API Error", ": 529")).toBe("");
    expect(held.message).toBe("API Error: 529");
    expect(text(held.discard())).toBe("");
    expect(held.message).toBeUndefined();
    expect(text(held.release())).toBe("");
  });

  test("the message of JSON is its result", () => {
    for (const document of [failed, `[${init},${failed}]`]) {
      const held = holdOutput({ output: "json", input: undefined });
      takeAll(held, document);
      expect(held.message).toBe("You've hit your limit");
    }
  });

  test("a larger output than 8 MB is passed on as it comes", () => {
    const held = holdOutput({ output: undefined, input: undefined });
    const part = new Uint8Array(3 * 1024 * 1024);
    const passed = [1, 2, 3, 4].map(() => held.take(part).reduce((size, each) => size + each.length, 0));
    expect(passed).toEqual([0, 0, 3 * part.length, part.length]);
    expect(held.release()).toEqual([]);
  });
});

describe("a stream", () => {
  test("passes on every event at once, up to the error or the result", () => {
    const held = holdOutput(stream);
    expect(takeAll(held, init, answer, task)).toBe(init + answer + task);
    expect(takeAll(held, error, task, failed)).toBe("");
    expect(held.message).toBe("You've hit your limit");
    expect(text(held.release())).toBe(error + task + failed);
  });

  test("passes on what it held as soon as claude continues", () => {
    for (const next of [answer, init]) {
      const held = holdOutput(stream);
      expect(takeAll(held, result, task)).toBe("");
      expect(takeAll(held, next)).toBe(result + task + next);
      expect(held.message).toBeUndefined();
    }
  });

  test.each([stream, manyPrompts])(
    "of a restart has no result for the notice that earlier background tasks are gone: %o",
    (format) => {
      const notice = line({ type: "result", is_error: false, subtype: "success", num_turns: 0, result: "" });
      const events = [init, notice, init, answer, result];
      expect(takeAll(holdOutput(format), ...events)).toContain(notice);
      const held = holdOutput(format, true);
      expect(takeAll(held, ...events) + text(held.release())).toBe(init + init + answer + result);
    },
  );

  test("drops an error and a line that claude did not finish", () => {
    const held = holdOutput(stream);
    takeAll(held, init, failed, '{"type":"assis');
    expect(text(held.discard())).toBe("");
    expect(text(held.release())).toBe("");
  });

  test("with many prompts passes on each answer at once, and holds only errors", () => {
    const held = holdOutput(manyPrompts);
    expect(takeAll(held, result)).toBe(result);
    expect(held.isHolding).toBe(false);
    expect(takeAll(held, error, failed)).toBe("");
    expect(held.isHolding).toBe(true);
    expect(takeAll(held, task.slice(0, 5))).toBe("");
    expect(text(held.releaseEvents())).toBe(error + failed);
    expect(takeAll(held, task.slice(5))).toBe(task);
  });

  test("passes on a line over 8 MB as it comes, and ends it when claude does not", () => {
    const held = holdOutput(stream);
    const part = bytes("x".repeat(5 * 1024 * 1024));
    expect(held.take(part)).toEqual([]);
    expect(held.take(part)).toHaveLength(2);
    expect(held.take(part)).toHaveLength(1);
    expect(text(held.discard())).toBe("\n");
    const ended = holdOutput(stream);
    for (let at = 0; at < 3; at += 1) ended.take(part);
    expect(takeAll(ended, `\n${failed}`)).toBe("\n");
    expect(text(ended.discard())).toBe("");
  });
});

import { describe, expect, test } from "bun:test";
import { AttemptReader } from "../../../src/claude/stream/attempt-reader.ts";
import { readStreamLine } from "../../../src/claude/stream/stream.ts";

describe("the evidence in a stream", () => {
  const read = (...lines: object[]): AttemptReader => {
    const reader = new AttemptReader();
    for (const line of lines) for (const event of readStreamLine(JSON.stringify(line))) reader.take(event);
    return reader;
  };
  const result = { type: "result", subtype: "success", is_error: false, result: "Done." };
  const text = { type: "assistant", message: { model: "claude", content: [{ type: "text", text: "Hi" }] } };
  const started = { type: "system", subtype: "task_started", task_id: "b1", description: "make" };
  const notice = { type: "system", subtype: "task_notification", task_id: "b1", status: "completed" };

  test("forgets a result after which Claude continued", () => {
    expect(read(result, notice).evidence.result?.text).toBe("Done.");
    expect(read(result, { type: "system", subtype: "init" }).evidence.result).toBeUndefined();
    expect(read(result, text).evidence.result).toBeUndefined();
    expect(read(result, text, { ...result, result: "More." }).evidence.result?.text).toBe("More.");
  });

  test("keeps the background tasks that were running at the result, even when they are stopped later", () => {
    expect(read(started, result).evidence.pending).toEqual(["make"]);
    expect(read(started, result, notice).evidence.pending).toEqual(["make"]);
    expect(read(started, notice, result).evidence.pending).toEqual([]);
    expect(read(started).evidence.pending).toEqual(["make"]);
    const none = { type: "system", subtype: "background_tasks_changed", tasks: [] };
    expect(read(started, none, result).evidence.pending).toEqual([]);
    expect(read({ ...started, is_backgrounded: false }, result).evidence.pending).toEqual([]);
  });

  test("adds up the cost of all results", () => {
    const part = (costUSD: number) => ({
      ...result,
      total_cost_usd: 9,
      model_usage_since_last_result: { m: { costUSD } },
    });
    expect(read(part(1), part(2)).costUsd).toBe(3);
    expect(read({ ...result, total_cost_usd: 1 }, { ...result, total_cost_usd: 3 }).costUsd).toBe(3);
  });

  test("forgets a failure after which Claude continued", () => {
    const failure = { ...text, error: "rate_limit", message: { ...text.message, model: "<synthetic>" } };
    expect(read(failure).evidence.failure?.error).toBe("rate_limit");
    expect(read(failure, text).evidence.failure).toBeUndefined();
  });
});

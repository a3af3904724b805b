import { expect, test } from "bun:test";
import { planService } from "../../src/core/service-plan.ts";
import { parseServiceRecord } from "../../src/core/service-record.ts";
import { exampleService } from "../support/service-options.ts";

const text = planService(exampleService("linux")).files[0]?.content ?? "";
const whole = JSON.parse(text) as Record<string, unknown>;

test("what install wrote is believed", () => {
  expect(parseServiceRecord(text)).toEqual(whole as never);
});

const nullable = new Set(["claude", "watchdogSeconds", "startLimit"]);

test.each(Object.keys(whole))("whole or not at all: another %s", (key) => {
  const wrong: unknown[] = [{ other: 1 }, [7], "../x\0", nullable.has(key) ? true : null];
  const believed = wrong.filter(
    (value) => parseServiceRecord(JSON.stringify({ ...whole, [key]: value })) !== undefined,
  );
  // A workspace and a claude may be called anything.
  expect(believed).toEqual(["workspace", "claude"].includes(key) ? ["../x\0"] : []);
  const { [key]: _, ...rest } = whole;
  expect(parseServiceRecord(JSON.stringify(rest))).toBeUndefined();
});

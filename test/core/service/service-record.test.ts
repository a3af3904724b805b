import { expect, test } from "bun:test";
import { planService } from "../../../src/core/service/service-plan.ts";
import { parseServiceRecord } from "../../../src/core/service/service-record.ts";
import { exampleService } from "../../support/service/service-options.ts";

const text = planService(exampleService("linux")).files[0]?.content ?? "";
const whole = JSON.parse(text) as Record<string, unknown>;

test("accepts the record that install wrote", () => {
  expect(parseServiceRecord(text)).toEqual(whole as never);
});

const nullable = new Set(["claude", "watchdogSeconds", "startLimit"]);

test.each(Object.keys(whole))("refuses a record with a wrong or missing %s", (key) => {
  const wrong: unknown[] = [{ other: 1 }, [7], "../x\0", nullable.has(key) ? true : null];
  const accepted = wrong.filter(
    (value) => parseServiceRecord(JSON.stringify({ ...whole, [key]: value })) !== undefined,
  );
  // A workspace and a claude may have any path.
  expect(accepted).toEqual(["workspace", "claude"].includes(key) ? ["../x\0"] : []);
  const { [key]: _, ...rest } = whole;
  expect(parseServiceRecord(JSON.stringify(rest))).toBeUndefined();
});

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import {
  isRestoreRequested,
  takeRestoreRequest,
  withdrawRestoreRequest,
  writeRestoreRequest,
} from "../../../src/store/cclaude/restore-request.ts";
import { scratchDirectory } from "../../support/scratch-directory.ts";

const path = scratchDirectory();
const directory = (): string => path("");
const request = { sessionId: "s", time: 1_794_900_000_000 };

test("a request is taken once, and can be withdrawn before", () => {
  expect(takeRestoreRequest(directory())).toBeUndefined();
  writeRestoreRequest(directory(), request);
  expect(isRestoreRequested(directory())).toBe(true);
  expect(takeRestoreRequest(directory())).toEqual(request);
  expect(isRestoreRequested(directory())).toBe(false);
  writeRestoreRequest(directory(), request);
  withdrawRestoreRequest(directory());
  expect(takeRestoreRequest(directory())).toBeUndefined();
});

test.each(["", "{", "null", '{"sessionId":"s"}', '{"sessionId":1,"time":2}'])("%j is no request", (text) => {
  writeFileSync(path("restore-request.json"), text);
  expect(takeRestoreRequest(directory())).toBeUndefined();
  expect(isRestoreRequested(directory())).toBe(false);
});

test("without its directory no request can be left", () => {
  expect(() => writeRestoreRequest("/nonexistent/events", request)).toThrow();
});

import { expect, test } from "bun:test";
import { readEndReason } from "../../../src/claude/hooks/session-end.ts";
import { readStopFailure } from "../../../src/claude/hooks/stop-failure.ts";

test.each([
  ["prompt_input_exit", "left"],
  ["logout", "left"],
  ["bypass_permissions_disabled", "left"],
  ["clear", "continues"],
  ["resume", "continues"],
  ["other", "other"],
  ["a_reason_of_a_later_version", "other"],
] as const)("SessionEnd reason %s means %s", (reason, meaning) => {
  expect(readEndReason(reason)).toBe(meaning);
});

test.each([
  ["rate_limit", { kind: "limit", resetsAt: undefined }],
  ["overloaded", { kind: "server" }],
  ["server_error", { kind: "server" }],
  ["authentication_failed", { kind: "authentication" }],
  ["oauth_org_not_allowed", { kind: "authentication" }],
  ["billing_error", { kind: "billing" }],
  ["max_output_tokens", undefined],
] as const)("StopFailure error %s means %p", (error, meaning) => {
  expect(readStopFailure(error)).toEqual(meaning);
});

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  acceptsHookEvent,
  handledEvents,
  handlingOf,
  isEndReason,
  probeEvent,
  sessionEndEvent,
  toolCallEvent,
} from "../../../src/claude/hooks/hook-event.ts";
import { parseHookPayload } from "../../../src/claude/hooks/hook-payload.ts";
import { parseClaudeVersion } from "../../../src/claude/versions.ts";
import pluginHooks from "../../../plugin/hooks/hooks.json";

describe("accepts a hook event from its first version on", () => {
  const events: [event: string, version: string, known: boolean][] = [
    ["PostToolUse", "1.0.128", true],
    ["SessionEnd", "1.0.128", true],
    ["StopFailure", "2.1.36", false],
    ["StopFailure", "2.1.77", false],
    ["StopFailure", "2.1.78", true],
    ["StopFailure", "2.1.326", true],
    ["PostCompact", "2.1.75", false],
    ["PostCompact", "2.1.76", true],
    ["PostToolUseFailure", "2.0.50", false],
    ["PostToolUseFailure", "2.1.36", true],
    ["PostToolBatch", "2.1.112", false],
    ["PostToolBatch", "2.1.197", true],
    ["NoSuchEvent", "2.1.326", false],
    ["toString", "2.1.326", false],
  ];
  test.each(events)("%s in %s: %p", (event, version, known) => {
    expect(acceptsHookEvent(parseClaudeVersion(version), event)).toBe(known);
  });
  test("an unknown version accepts only the events of every version", () => {
    expect(acceptsHookEvent(undefined, "Stop")).toBe(true);
    expect(acceptsHookEvent(undefined, "StopFailure")).toBe(false);
  });
});

describe("the snapshot that an event takes", () => {
  const rows: [event: string, source: string | undefined, trigger: string][] = [
    ["PostToolUse", undefined, "interval"],
    ["PreCompact", undefined, "any-growth"],
    ["Stop", undefined, "any-growth"],
    ["StopFailure", undefined, "any-growth"],
    ["SessionEnd", undefined, "any-growth"],
    ["SessionStart", "resume", "any-growth"],
    ["SessionStart", "startup", "none"],
    ["SessionStart", "compact", "none"],
    ["UserPromptSubmit", undefined, "none"],
    ["Notification", undefined, "none"],
    ["NoSuchEvent", undefined, "none"],
    ["toString", undefined, "none"],
  ];
  test.each(rows)("%s (%s): %s", (event, source, trigger) => {
    const payload = JSON.stringify({ session_id: "s", hook_event_name: event, source });
    expect(parseHookPayload(payload)?.snapshot).toBe(trigger as "none");
  });
});

test("marks of a failed turn or an ended session have an end reason", () => {
  expect(handledEvents.filter(isEndReason)).toEqual(["StopFailure", "SessionEnd"]);
  expect(["restore", "NoSuchEvent"].some(isEndReason)).toBe(false);
});

test("the named events do what their callers rely on", () => {
  expect(handlingOf(toolCallEvent)).toMatchObject({ isAsync: true, snapshot: "interval" });
  expect(handlingOf(probeEvent).snapshot).toBe("any-growth");
  expect(handlingOf(sessionEndEvent)).toMatchObject({ isLast: true, report: "end" });
});

test("the plugin installs the same events, matchers and timeouts as ai-runtime install", () => {
  const installed = Object.entries(pluginHooks.hooks).map(([event, groups]) => {
    const [group] = groups;
    const hook: { async?: boolean; timeout?: number } = group?.hooks[0] ?? {};
    return [event, { matcher: group?.matcher, isAsync: hook.async, timeout: hook.timeout }];
  });
  const rows = handledEvents.map((event) => {
    const { matcher, isAsync, timeoutSeconds } = handlingOf(event);
    return [event, { matcher: matcher?.everything, isAsync, timeout: timeoutSeconds }];
  });
  expect(Object.fromEntries(installed)).toEqual(Object.fromEntries(rows));
});

test("only src/claude names hook events", () => {
  const root = join(import.meta.dir, "../../..");
  const names = new RegExp(`["'\`](${handledEvents.join("|")})["'\`]`);
  const files = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: root })].map((path) => path.replaceAll("\\", "/"));
  const naming = files.filter((path) => names.test(readFileSync(join(root, path), "utf8")));
  expect(naming).toContain("src/claude/hooks/hook-event.ts");
  expect(naming.filter((path) => !path.startsWith("src/claude/"))).toEqual([]);
});

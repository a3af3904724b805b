import { describe, expect, test } from "bun:test";
import { readStreamLine, type StreamEvent } from "../../src/claude/stream.ts";
import { claudeVersions } from "../support/claude-versions.ts";
import { farReset, limitTalk, type StreamName } from "../support/record-streams.ts";
import { storedStream } from "../support/stored-stream.ts";

describe.each([...claudeVersions])("a stream of Claude Code %s", (version) => {
  const read = async (name: StreamName): Promise<StreamEvent[]> =>
    (await Bun.file(storedStream(version, name)).text()).split("\n").flatMap(readStreamLine);

  test("that is done has its words, calls, results, cost and version", async () => {
    const events = await read("done");
    expect(events.find(({ kind }) => kind === "init")).toMatchObject({ version });
    expect(events.flatMap((event) => (event.kind === "tool" ? [event.name] : []))).toEqual(["Write", "Bash"]);
    expect(events.flatMap((event) => (event.kind === "tool-result" ? [event.failed] : []))).toEqual([false, true]);
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: "I write the notes.", aside: false });
    const result = events.findLast((event) => event.kind === "result");
    expect(result).toMatchObject({ isError: false, subtype: "success" });
    expect(result?.costUsd).toBeGreaterThan(0);
    expect(events.some(({ kind }) => kind === "failure" || kind === "limit")).toBe(false);
  });

  test("that only talks of limits has no error and no limit", async () => {
    const events = await read("talks-of-limits");
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: limitTalk });
    expect(events.some(({ kind }) => kind === "failure" || kind === "limit")).toBe(false);
  });

  test("at a limit has the client's error and, where there is one, the event with its reset", async () => {
    const events = await read("limit");
    expect(events.findLast((event) => event.kind === "failure")?.facts.error).toBe("rate_limit");
    const told = events.find((event) => event.kind === "limit");
    expect(told?.resetsAt).toBe(version === "2.1.36" ? undefined : farReset);
    expect(events.findLast((event) => event.kind === "result")?.isError).toBe(true);
  });

  test("whose turns or budget are used up says so", async () => {
    const ends = [...(await read("turns")), ...(await read("budget"))].filter((event) => event.kind === "result");
    expect(ends.map(({ subtype }) => subtype)).toEqual(["error_max_turns", "error_max_budget_usd"]);
  });
});

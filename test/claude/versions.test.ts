import { describe, expect, test } from "bun:test";
import { canClaude, compareClaudeVersions, parseClaudeVersion, type ClaudeFeature } from "../../src/claude/versions.ts";

describe("parses the output of `claude --version`", () => {
  const outputs: [output: string, version: string | undefined][] = [
    ["2.1.326 (Claude Code)\n", "2.1.326"],
    ["2.1.36", "2.1.36"],
    ["  1.0.128 (Claude Code)", "1.0.128"],
    ["v2.0.10", "2.0.10"],
    ["2.1.326-beta.1 (Claude Code)", "2.1.326"],
    ["3.0.0\r\n", "3.0.0"],
    ["", undefined],
    ["Claude Code", undefined],
    ["2.1", undefined],
    ["2.1.x", undefined],
    ["2.1.3.4", undefined],
    ["99999999999999999999.0.0", undefined],
    ["error: node 18.19.1 is too old", undefined],
  ];
  test.each(outputs)("%p → %p", (output, expected) => {
    const version = parseClaudeVersion(output);
    expect(version && `${version.major}.${version.minor}.${version.patch}`).toBe(expected);
  });
});

test("orders versions by number, not by text", () => {
  const ordered = ["0.9.9", "1.0.128", "2.0.10", "2.0.77", "2.1.0", "2.1.36", "2.1.112", "2.1.326", "10.0.0"];
  const shuffled = ordered.toReversed().map((text) => parseClaudeVersion(text) ?? { major: 0, minor: 0, patch: 0 });
  const sorted = shuffled.toSorted(compareClaudeVersions);
  expect(sorted.map(({ major, minor, patch }) => `${major}.${minor}.${patch}`)).toEqual(ordered);
  expect(compareClaudeVersions({ major: 2, minor: 1, patch: 3 }, { major: 2, minor: 1, patch: 3 })).toBe(0);
});

describe("a feature starts at the version it was first seen in", () => {
  const borders: [feature: ClaudeFeature, without: string, having: string][] = [
    ["execFormHooks", "2.1.138", "2.1.139"],
    ["unknownHookEventsTolerated", "2.1.100", "2.1.112"],
    ["asyncHooks", "2.1.14", "2.1.20"],
    ["rateLimitEvent", "2.1.36", "2.1.45"],
    ["transcriptErrorStatus", "2.1.100", "2.1.112"],
    ["transcriptQuotaLimits", "2.1.232", "2.1.238"],
    ["retryWatchdog", "2.1.112", "2.1.152"],
    ["continuesAfterLimit", "2.1.232", "2.1.238"],
    ["resumeFromAnyDirectory", "2.1.197", "2.1.326"],
  ];
  test.each(borders)("%s: not in %s, in %s", (feature, without, having) => {
    expect(canClaude(parseClaudeVersion(without), feature)).toBe(false);
    expect(canClaude(parseClaudeVersion(having), feature)).toBe(true);
    expect(canClaude(parseClaudeVersion("9.0.0"), feature)).toBe(true);
    expect(canClaude(undefined, feature)).toBe(false);
  });
});

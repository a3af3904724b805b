// For each kind of damage to a real conversation: verify names it, repair fixes it, and the resumed client sends the model
// the same conversation as with the healthy transcript, except what no file contains anymore.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Defect } from "../../../src/claude/repair/defect.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import {
  type Lines,
  lostSteps,
  SixStepConversation,
  type Step,
  steps,
} from "../../support/transcripts/six-step-conversation.ts";

interface Case {
  kind: Defect["kind"];
  damage: (lines: Lines) => string | Uint8Array;
  /** The steps that no file contains anymore without a snapshot; undefined when repair is impossible then. */
  lost?: Step[] | undefined;
  /** verify reports it, but it needs no repair. */
  harmless?: boolean;
}

const before = (step: Step): Step[] =>
  steps
    .map(([name]) => name)
    .slice(
      0,
      steps.findIndex(([name]) => name === step),
    );
const nul = (count: number): string => "\0".repeat(count);

const cases: Record<string, Case> = {
  "a last record without its line end": { kind: "torn-tail", damage: ({ text }) => text.slice(0, -1), lost: [] },
  "a torn last record": {
    kind: "torn-tail",
    damage: (lines) => `${lines.text}${lines.lines[lines.indexOf("answer 2")]?.slice(0, 150)}`,
    lost: [],
  },
  "NULs at the end": { kind: "nul-run", damage: ({ text }) => text + nul(4096), lost: [] },
  "NULs in the middle": {
    kind: "nul-run",
    damage: (lines) => lines.change("prompt 2", (line) => nul(500) + line).text,
    lost: [],
  },
  "a record overwritten by NULs": {
    kind: "nul-run",
    damage: (lines) => lines.change("answer 1", (line) => nul(line.length)).text,
    lost: ["answer 1"],
  },
  "two records on one line": {
    kind: "glued-records",
    damage: (lines) => {
      const result = lines.lines[lines.indexOf("result 2")] ?? "";
      return lines.change("result 2", () => []).change("call 2", (line) => line + result).text;
    },
    lost: [],
  },
  "a torn record glued to the next": {
    kind: "glued-records",
    damage: (lines) => lines.text.replace(`${lines.lines[lines.indexOf("call 2")]}\n`, (line) => line.slice(0, 200)),
    lost: ["call 2", "result 2"],
  },
  "a line that is not JSON": {
    kind: "invalid-json",
    damage: (lines) => lines.change("answer 1", (line) => line.slice(0, 200)).text,
    lost: ["answer 1"],
  },
  "the first prompt torn": {
    kind: "invalid-json",
    damage: (lines) => lines.change("prompt 1", (line) => line.slice(0, 100)).text,
    lost: ["prompt 1"],
  },
  "invalid UTF-8 bytes": {
    kind: "invalid-utf8",
    damage: (lines) =>
      Buffer.from(lines.change("answer 1", (line) => line.replace("ANSWER-1", "ANSWER-1\xff")).text, "latin1"),
    lost: [],
  },
  "half of a surrogate pair": {
    kind: "lone-surrogate",
    damage: (lines) => lines.change("answer 1", (line) => line.replace("ANSWER-1", "ANSWER-1 \\ud83d")).text,
    lost: [],
  },
  "a lost record": {
    kind: "missing-parent",
    damage: (lines) => lines.change("answer 1", () => []).text,
    lost: ["answer 1"],
  },
  "a record whose parent is null": {
    kind: "several-roots",
    damage: (lines) =>
      lines.change("answer 2", (line) => line.replace(/"parentUuid":"[^"]+"/, '"parentUuid":null')).text,
    lost: [],
  },
  "a record without a parent field": {
    kind: "several-roots",
    damage: (lines) => lines.change("answer 2", (line) => line.replace(/"parentUuid":"[^"]+",/, "")).text,
    lost: [],
  },
  "a cycle of parents": {
    kind: "cycle",
    damage: (lines) => {
      const { uuid } = lines.record("answer 2");
      return lines.change("prompt 2", (line) => line.replace(/"parentUuid":"[^"]+"/, `"parentUuid":"${uuid}"`)).text;
    },
    lost: [],
  },
  "the whole file written twice": { kind: "duplicate-uuid", damage: ({ text }) => text + text, harmless: true },
  "a call without its result": {
    kind: "orphan-tool-use",
    damage: (lines) => lines.without("result 2").text,
    lost: ["call 2", "result 2"],
  },
  "a result without its call": {
    kind: "orphan-tool-result",
    damage: (lines) => lines.without("call 2").text,
    lost: ["call 2", "result 2"],
  },
  "another session's id in every record": {
    kind: "wrong-session",
    damage: ({ text }) => text.replaceAll(/"sessionId":"[^"]+"/g, '"sessionId":"00000000-0000-4000-8000-000000000000"'),
    harmless: true,
  },
  "an empty file": { kind: "empty-file", damage: () => "", lost: undefined },
  "a stub in place of the conversation": {
    kind: "stub-file",
    damage: () => '{"type":"summary","summary":"gone","leafUuid":"00000000-0000-4000-8000-000000000000"}\n',
    lost: undefined,
  },
  "a file cut short": {
    kind: "shrunk",
    damage: (lines) => `${lines.lines.slice(0, lines.indexOf("prompt 2")).join("\n")}\n`,
    lost: steps.map(([name]) => name).filter((name) => !before("prompt 2").includes(name)),
  },
};

interface Verdict {
  exitCode: number | null;
  kinds: Set<string>;
  damaged: Set<string>;
}

async function verify(conversation: SixStepConversation, what: string = conversation.sessionId): Promise<Verdict> {
  const { exitCode, stdout } = await conversation.command("verify", what, "--json");
  const { defects } = JSON.parse(stdout) as { defects: Defect[] };
  const kinds = (chosen: Defect[]): Set<string> => new Set(chosen.map(({ kind }) => kind));
  return { exitCode, kinds: kinds(defects), damaged: kinds(defects.filter(({ severity }) => severity === "damage")) };
}

forEachClaude((version) => {
  let conversation: SixStepConversation;
  let healthy: unknown[] = [];

  beforeAll(async () => {
    conversation = await SixStepConversation.record(version);
    conversation.set(conversation.lines.text, { snapshot: false });
    healthy = await conversation.resume();
  });
  /** What the model receives on resume; the answer for an unchanged healthy transcript is known already. */
  const received = async (): Promise<unknown[]> =>
    conversation.read() === conversation.lines.text ? healthy : conversation.resume();
  afterAll(() => conversation[Symbol.asyncDispose]());

  test("verify finds nothing in a healthy transcript and its fork, and repair changes nothing", async () => {
    const clean = { exitCode: 0, kinds: new Set<string>(), damaged: new Set<string>() };
    expect(lostSteps(healthy)).toEqual([]);
    expect(await verify(conversation)).toEqual(clean);
    // 2.1.36 keeps the old id in the records that it copies, which verify reports as a note.
    const fork = await verify(conversation, await conversation.fork());
    expect({ ...fork, kinds: [...fork.kinds] }).toEqual({
      ...clean,
      kinds: version === "2.1.36" ? ["wrong-session"] : [],
    });
    const repaired = await conversation.command("repair", conversation.sessionId);
    expect(repaired).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^Nothing to do/) });
  });

  describe.each(Object.entries(cases))("%s", (_name, { kind, damage, lost, harmless }) => {
    test("with a snapshot, verify names the damage, repair fixes it, and the model receives every word", async () => {
      conversation.set(damage(conversation.lines), { snapshot: true });
      const verdict = await verify(conversation);
      expect(verdict.kinds).toContain(kind);
      if (harmless) {
        expect(verdict.exitCode).toBe(0);
      } else {
        expect(verdict.exitCode).toBe(6);
        expect(await conversation.command("repair", conversation.sessionId)).toMatchObject({ exitCode: 0, stdout: "" });
        expect((await verify(conversation)).exitCode).toBe(0);
      }
      expect(await received()).toEqual(healthy);
    });

    if (harmless) return;
    test("without a snapshot, the model receives everything that is left", async () => {
      const damaged = damage(conversation.lines);
      conversation.set(damaged, { snapshot: false });
      const verdict = await verify(conversation);
      if (kind !== "shrunk") expect(verdict.kinds).toContain(kind);
      const repaired = await conversation.command("repair", conversation.sessionId);
      if (lost === undefined && kind === "empty-file") {
        expect([verdict.exitCode, repaired.exitCode]).toEqual([6, 6]);
        return;
      }
      expect(repaired.exitCode).toBe(0);
      if (kind === "stub-file") return;
      expect((await verify(conversation)).damaged).toEqual(new Set());
      expect(lostSteps(await received())).toEqual(lost ?? []);
    });
  });

  describe("without a repair, the model loses what verify reports:", () => {
    const old = version === "2.1.36";
    const unrepaired: [name: string, lost: Step[]][] = [
      ["a line that is not JSON", old ? [...before("answer 1"), "answer 1"] : ["answer 1"]],
      ["a record whose parent is null", before("answer 2")],
      ["two records on one line", old ? before("answer 1") : ["call 2", "result 2"]],
      ["NULs in the middle", old ? [...before("prompt 2"), "prompt 2"] : ["prompt 2"]],
      ["a cycle of parents", old ? before("prompt 2") : []],
    ];
    test.each(unrepaired)("%s", async (name, lost) => {
      conversation.set(cases[name]?.damage(conversation.lines) ?? "", { snapshot: false });
      expect(lostSteps(await conversation.resume())).toEqual(lost);
    });

    test("a last record without its line end is joined to the next record, up to 2.1.197", async () => {
      conversation.set(conversation.lines.text.slice(0, -1), { snapshot: false });
      await conversation.resume();
      expect((await verify(conversation)).kinds).toEqual(new Set(gluesNext(version) ? ["glued-records"] : []));
    });

    test("half of a surrogate pair is sent unchanged by 2.1.36 only", async () => {
      conversation.set(cases["half of a surrogate pair"]?.damage(conversation.lines) ?? "", { snapshot: false });
      expect(JSON.stringify(await conversation.resume()).includes("\\ud83d")).toBe(old);
    });
  });
});

const gluesNext = (version: ClaudeVersion): boolean => version !== "2.1.326";

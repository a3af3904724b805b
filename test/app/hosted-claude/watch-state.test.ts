// What a host sees of a scripted Claude, with a clock that the test moves.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { StateWatch } from "../../../src/app/hosted-claude/watch-state.ts";
import { identifyProcess } from "../../../src/io/process/process.ts";

const start = Date.parse("2026-11-16T12:00:00Z");
const second = 1_000;
const id = "3b7a5f0e-6f0a-4c39-9f4d-6f3f8a1c2d10";
const other = "9d0edf93-8a16-4b4a-99d0-d5255c60ee86";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "watch-state-"));
  mkdirSync(join(home, ".claude/sessions"), { recursive: true });
  mkdirSync(join(home, ".claude/projects/p"), { recursive: true });
  jest.useFakeTimers();
  jest.setSystemTime(start);
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(home, { recursive: true, force: true });
});

/** Claude with a session file, a transcript and a screen. Its process is the test's own. */
class ScriptedClaude {
  rows: readonly string[] = [];
  readonly seen: string[] = [];
  looks = 0;
  readonly #watch: StateWatch;

  constructor() {
    this.#watch = new StateWatch({
      environment: { ...currentEnvironment({ HOME: home }), now: () => Date.now() },
      events: undefined,
      model: { text: () => ({ rows: [...this.rows], cursor: { x: 0, y: 0 } }) },
      session: () => ({ id, transcriptPath: null }),
      onLook: ({ state, since, title }) => {
        this.looks += 1;
        const until = state.kind === "limit" && state.until !== null ? ` ${(state.until - start) / second}` : "";
        const line = `${state.kind}${until} since ${(since - start) / second}: ${title}`;
        if (this.seen.at(-1) !== line) this.seen.push(line);
      },
    });
  }

  status(status: string, sessionId = id): void {
    const { pid } = process;
    const procStart = identifyProcess(pid)?.startTime;
    writeFileSync(join(home, `.claude/sessions/${pid}.json`), JSON.stringify({ pid, sessionId, procStart, status }));
  }

  writes(fields: object, sessionId = id): void {
    const timestamp = new Date(Date.now()).toISOString();
    appendFileSync(
      join(home, `.claude/projects/p/${sessionId}.jsonl`),
      `${JSON.stringify({ ...fields, timestamp })}\n`,
    );
  }

  prints(...rows: string[]): void {
    this.rows = rows;
    this.#watch.onOutput();
  }

  end(): void {
    this.#watch.end();
  }
}

const prompt = (content: string): object => ({ type: "user", message: { content } });

test("reports each state once, from its beginning, with the first prompt and then Claude's title", () => {
  const claude = new ScriptedClaude();
  claude.status("busy");
  claude.writes(prompt("Do it"));
  claude.prints("esc to interrupt");
  jest.advanceTimersByTime(10 * second);
  claude.writes({ type: "assistant", message: { content: [{ type: "text", text: "Done." }] } });
  claude.writes({ type: "ai-title", aiTitle: "A title" });
  claude.status("idle");
  claude.prints("❯ ");
  jest.advanceTimersByTime(100 * second);
  claude.end();
  expect(claude.seen).toEqual(["working since 0: Do it", "idle since 10.25: A title", "ended since 110: A title"]);
});

test("follows Claude into another conversation after /clear", () => {
  const claude = new ScriptedClaude();
  claude.status("idle");
  claude.writes(prompt("First"));
  claude.prints("❯ ");
  jest.advanceTimersByTime(5 * second);
  claude.status("busy", other);
  claude.writes(prompt("Second"), other);
  claude.prints("esc to interrupt");
  jest.advanceTimersByTime(5 * second);
  claude.end();
  expect(claude.seen.slice(0, 2)).toEqual(["idle since 0.25: First", "working since 5.25: Second"]);
});

test("a countdown on the screen is one state, although its end moves a little with every look", () => {
  const claude = new ScriptedClaude();
  claude.status("busy");
  claude.writes(prompt("Do it"));
  for (let left = 30; left > 20; left -= 1) {
    claude.prints(`✻ 5-hour limit reached · retrying in ${left}s`);
    jest.advanceTimersByTime(1.05 * second);
  }
  claude.end();
  expect(claude.seen.slice(0, -1)).toEqual(["limit 30.25 since 0.25: Do it"]);
});

test("an unreadable transcript changes nothing until it can be read", () => {
  const claude = new ScriptedClaude();
  mkdirSync(join(home, `.claude/projects/p/${id}.jsonl`));
  claude.status("busy");
  claude.prints("esc to interrupt");
  jest.advanceTimersByTime(5 * second);
  expect(claude.seen).toEqual([]);
  rmSync(join(home, `.claude/projects/p/${id}.jsonl`), { recursive: true });
  claude.writes(prompt("Do it"));
  jest.advanceTimersByTime(60 * second);
  expect(claude.seen).toEqual(["working since 0: Do it"]);
  claude.end();
});

test("an idle Claude is looked at twice a minute, and at once when it prints something", () => {
  const claude = new ScriptedClaude();
  claude.status("idle");
  claude.writes(prompt("Do it"));
  claude.prints("❯ ");
  jest.advanceTimersByTime(60 * second);
  const before = claude.looks;
  jest.advanceTimersByTime(3_600 * second);
  expect(claude.looks - before).toBeWithin(115, 125);
  claude.status("busy");
  claude.prints("esc to interrupt");
  jest.advanceTimersByTime(second);
  expect(claude.seen.at(-1)).toStartWith("working");
  claude.end();
});

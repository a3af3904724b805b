// A host at a limit of a scripted Claude, with a clock that the test moves.
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { HostedContinuation } from "../../../src/app/hosted-claude/continue-hosted.ts";
import { recentProblems } from "../../../src/app/program-log.ts";
import { continuationText } from "../../../src/core/host/continuation.ts";
import { readSettings } from "../../../src/core/settings.ts";

const start = Date.parse("2026-11-16T12:00:00Z");
const second = 1_000;
const day = 86_400 * second;
const sessionId = "3b7a5f0e-6f0a-4c39-9f4d-6f3f8a1c2d10";
const edge = "────────";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "continue-hosted-"));
  jest.useFakeTimers();
  jest.setSystemTime(start);
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(home, { recursive: true, force: true });
});

/** Claude with a prompt, a transcript and a host. It reacts to what the host writes as the real one does. */
class ScriptedClaude implements Disposable {
  prompt = "";
  /** Shown in place of the prompt. */
  screen: readonly string[] | undefined;
  above: readonly string[] = [];
  readonly written: string[] = [];
  readonly statuses: (string | number)[] = [];
  /** Returns true to swallow what the host writes. */
  loses: (text: string) => boolean = () => false;
  /** Called when a prompt arrives; it is in the transcript already. */
  answers: () => void = () => this.#record({ type: "assistant", message: { content: "Went on." } });
  readonly #environment = { ...currentEnvironment({ HOME: home }), now: () => Date.now() };
  readonly #host: HostedContinuation;
  #messages = 0;

  constructor(variables: object = {}) {
    this.#host = new HostedContinuation({
      environment: this.#environment,
      settings: readSettings(undefined, { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "0", ...variables }).settings,
      events: undefined,
      sessionId,
      model: { text: () => ({ rows: this.#rows(), cursor: { x: 2, y: 0 } }) },
      run: {
        waiting: (until) => this.#status((until - start) / second),
        retrying: () => this.#status("retrying"),
        held: (cause) => this.#status(cause),
        working: () => this.#status("working"),
      },
      write: (text) => this.#receive(text),
      onSession: () => {},
    });
  }

  get problems(): string[] {
    return recentProblems(this.#environment);
  }

  /** The limit's error, as a client without a continuation of its own writes it. */
  hitsLimit(resetsAt: number | null = start): void {
    this.#record({
      type: "assistant",
      version: "2.1.36",
      isApiErrorMessage: true,
      error: "rate_limit",
      ...(resetsAt === null ? {} : { quotaLimits: { resetsAt: resetsAt / 1_000 } }),
      message: { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit" }] },
    });
  }

  notes(content: string): void {
    this.#record({ type: "system", subtype: "informational", content });
  }

  userPrompts(text: string): void {
    this.prompt = text;
    this.#send();
  }

  paints(): void {
    this.#host.onOutput();
  }

  presses(keys: string): void {
    this.#host.onInput(Buffer.from(keys));
  }

  /** What the host wrote, with the text abbreviated. */
  get keys(): string[] {
    return this.written.map((text) => (text === pasted ? "text" : text));
  }

  [Symbol.dispose](): void {
    this.#host.end();
  }

  #status(status: string | number): void {
    if (this.statuses.at(-1) !== status) this.statuses.push(status);
  }

  #rows(): string[] {
    return [...this.above, ...(this.screen ?? [edge, `❯ ${this.prompt}`, edge])];
  }

  #receive(text: string): void {
    this.written.push(text);
    if (this.loses(text)) return;
    if (text === "\r") this.#send();
    else if (text === "\x15") this.prompt = "";
    else if (text === "\x1b") this.screen = undefined;
    else this.prompt += text.replace("\x1b[200~", "").replace("\x1b[201~", "");
    this.paints();
  }

  #send(): void {
    this.#record({ type: "user", message: { content: this.prompt } });
    this.prompt = "";
    this.answers();
    this.paints();
  }

  #record(line: object): void {
    const project = join(home, ".claude/projects/p");
    mkdirSync(project, { recursive: true });
    const common = { uuid: `message-${this.#messages++}`, timestamp: new Date().toISOString() };
    appendFileSync(join(project, `${sessionId}.jsonl`), `${JSON.stringify({ ...common, ...line })}\n`);
  }
}

const pasted = `\x1b[200~${continuationText}\x1b[201~`;
const pass = (seconds: number): void => void jest.advanceTimersByTime(seconds * second);

/** A claude at a limit that has just reset. */
function claudeAtLimit(variables?: object): ScriptedClaude {
  const claude = new ScriptedClaude(variables);
  claude.hitsLimit();
  claude.paints();
  return claude;
}

test.each<[what: string, resetsAt: number | null, variables: object, seconds: number]>([
  ["a known reset", start + 60 * second, {}, 60],
  ["an unknown reset", null, {}, 3_600],
  ["an unknown reset with a set wait", null, { AI_RUNTIME_WAIT_SECONDS: "5" }, 5],
  ["an unknown reset with a wait out of range", null, { AI_RUNTIME_WAIT_SECONDS: "9e15" }, 3_600],
  ["a reset more than 8 days ahead", start + 9 * day, {}, 3_600],
])("a host waits for %s", (_, resetsAt, variables, seconds) => {
  using claude = new ScriptedClaude(variables);
  claude.hitsLimit(resetsAt);
  claude.paints();
  pass(2);
  // An unknown reset counts from the time at which the host reads the limit.
  const readAfter = resetsAt === start + 60 * second ? 0 : 1.5;
  expect(claude.statuses).toEqual([seconds + readAfter]);
});

test("a host whose typed continuation met the limit again waits 15 seconds before it types again", () => {
  using claude = claudeAtLimit();
  claude.answers = () => claude.hitsLimit();
  pass(12);
  expect(claude.keys).toEqual(["text", "\r"]);
  const [, again] = claude.statuses;
  expect(Number(again) - (Date.now() - start) / second).toBeWithin(5, 15);
  claude.answers = () => {};
  pass(15);
  expect(claude.keys).toEqual(["text", "\r", "text", "\r"]);
});

describe("what a host types is verified", () => {
  test("the text is pasted whole, seen at the prompt, sent, and found in the transcript", () => {
    using claude = claudeAtLimit();
    pass(60);
    expect(claude.written).toEqual([pasted, "\r"]);
    expect(claude.statuses).toEqual([0, "working"]);
    expect(claude.problems).toEqual([]);
  });

  test("a limit that reaches the transcript long after the screen became quiet is found", () => {
    using claude = new ScriptedClaude();
    claude.paints();
    pass(20);
    claude.hitsLimit();
    pass(60);
    expect(claude.keys).toEqual(["text", "\r"]);
  });

  test("a lost Enter is pressed again", () => {
    using claude = claudeAtLimit();
    let lost = 0;
    claude.loses = (text) => text === "\r" && lost++ === 0;
    pass(60);
    expect(claude.keys).toEqual(["text", "\r", "\r"]);
    expect(claude.statuses.at(-1)).toBe("working");
  });

  test("a lost text is entered again", () => {
    using claude = claudeAtLimit();
    let lost = 0;
    claude.loses = (text) => text === pasted && lost++ === 0;
    pass(60);
    expect(claude.keys).toEqual(["text", "text", "\r"]);
    expect(claude.statuses.at(-1)).toBe("working");
  });

  test("a text that did not arrive whole is removed and entered again", () => {
    using claude = claudeAtLimit();
    let cut = 0;
    claude.loses = (text) => {
      if (text !== pasted || cut++ > 0) return false;
      claude.prompt = continuationText.slice(4);
      return true;
    };
    pass(60);
    expect(claude.keys).toEqual(["text", "\x15", "text", "\r"]);
    expect(claude.statuses.at(-1)).toBe("working");
  });

  test("a text that the user changes is left alone", () => {
    using claude = claudeAtLimit();
    claude.loses = (text) => {
      if (text !== pasted) return false;
      claude.prompt = `${continuationText} And`;
      claude.presses("d");
      return true;
    };
    pass(600);
    expect(claude.keys).toEqual(["text"]);
    expect(claude.statuses.at(-1)).toBe("typing");
  });

  test("a Claude that accepts nothing is given up after three tries, with a line in the log", () => {
    using claude = claudeAtLimit();
    claude.loses = () => true;
    pass(600);
    expect(claude.keys).toEqual(["text", "text", "text"]);
    expect(claude.statuses).toEqual([0, "gave-up"]);
    expect(claude.problems).toEqual([expect.stringContaining("did not arrive")]);
  });

  test("a Claude that ignores Enter is given up after three tries", () => {
    using claude = claudeAtLimit();
    claude.loses = (text) => text === "\r";
    pass(600);
    expect(claude.keys).toEqual(["text", "\r", "\r", "\r"]);
    expect(claude.statuses).toEqual([0, "gave-up"]);
  });

  test("a screen without a prompt is looked at again, even when nothing is printed", () => {
    using claude = claudeAtLimit();
    claude.screen = ["Loading…"];
    pass(120);
    expect(claude.statuses).toEqual(["no-prompt"]);
    claude.screen = undefined;
    pass(60);
    expect(claude.keys).toEqual(["text", "\r"]);
    expect(claude.statuses.at(-1)).toBe("working");
  });

  test("a menu is closed first", () => {
    using claude = claudeAtLimit();
    claude.screen = ["What do you want to do?", "❯ 1. Stop and wait for limit to reset", "  2. Upgrade your plan"];
    pass(60);
    expect(claude.keys).toEqual(["\x1b", "text", "\r"]);
  });

  test("keys of the user without text at the prompt delay it by a minute", () => {
    using claude = claudeAtLimit();
    claude.presses("jj");
    pass(55);
    expect(claude.statuses).toEqual(["typing"]);
    pass(30);
    expect(claude.keys).toEqual(["text", "\r"]);
  });
});

describe("a host whose user canceled Claude's own wait types nothing", () => {
  const armed = "Usage limit reached · continuing automatically at 2:54am · esc to cancel";
  const canceled = "Automatic continue cancelled · /rate-limit-options to re-arm";

  test("when the transcript says so, until the next prompt", () => {
    using claude = claudeAtLimit();
    claude.notes(armed);
    claude.notes(canceled);
    pass(3_600);
    expect(claude.keys).toEqual([]);
    expect(claude.statuses).toEqual(["canceled"]);
    claude.answers = () => claude.hitsLimit();
    claude.userPrompts("Try again");
    pass(3_600);
    expect(claude.keys.slice(0, 2)).toEqual(["text", "\r"]);
  });

  test("when the user pressed Escape and the wait disappeared from the screen", () => {
    using claude = new ScriptedClaude({ AI_RUNTIME_CONTINUE_AFTER_SECONDS: "60" });
    claude.hitsLimit();
    claude.above = [armed];
    claude.paints();
    pass(10);
    claude.presses("\x1b");
    claude.above = [];
    claude.paints();
    pass(3_600);
    expect(claude.keys).toEqual([]);
    expect(claude.statuses).toEqual([0, "canceled"]);
  });

  test.each([
    ["the wait was started again", [armed, canceled, armed]],
    [
      "only Claude's process ended",
      [armed, "Automatic continue cancelled · Claude Code exited during the wait, so the task will not resume"],
    ],
  ])("but it types when %s", (_, notes) => {
    using claude = claudeAtLimit();
    for (const note of notes) claude.notes(note);
    pass(60);
    expect(claude.keys).toEqual(["text", "\r"]);
  });
});

test("a host shows the wait of a claude that retries by itself, types nothing, and shows when it works again", () => {
  using claude = new ScriptedClaude();
  claude.above = ["✻ 5-hour limit reached · retrying in 30s (1:37am) · attempt 1/1"];
  for (let left = 30; left > 0; left--) {
    claude.above = [`✻ 5-hour limit reached · retrying in ${left}s · attempt 1/1`];
    claude.paints();
    pass(1);
  }
  claude.above = ["✻ 529 Overloaded · retrying in 5s · attempt 2/1"];
  claude.paints();
  pass(3);
  claude.above = [];
  claude.paints();
  pass(3);
  expect(claude.statuses.map((status) => (typeof status === "number" ? "limit" : status))).toEqual([
    "limit",
    "retrying",
    "working",
  ]);
  expect(claude.keys).toEqual([]);
});

// What the watchdog sees of a claude, from outside.
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { ServiceWatch } from "../../src/app/service-watch.ts";

const session = "11111111-2222-4333-8444-555555555555";

class Watched implements Disposable {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "watch-")));
  readonly #project = join(this.home, "project");
  readonly #transcripts = join(this.home, ".claude/projects", this.#project.replaceAll(/[^A-Za-z0-9]/g, "-"));
  time = 0;
  readonly watch = new ServiceWatch(
    currentEnvironment({ HOME: this.home }),
    this.#project,
    process.pid,
    () => this.time,
  );

  constructor() {
    for (const directory of [this.#project, this.#transcripts, join(this.home, ".claude/sessions")]) {
      mkdirSync(directory, { recursive: true });
    }
  }

  /** As recent clients name their own processes; without a status, as 2.1.112 did. */
  live(status: string | undefined): void {
    const text = JSON.stringify({ pid: process.pid, sessionId: session, status });
    writeFileSync(join(this.home, ".claude/sessions", `${process.pid}.json`), text);
  }

  writes(...records: object[]): void {
    const path = join(this.#transcripts, `${session}.jsonl`);
    for (const record of records)
      appendFileSync(path, `${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`);
  }

  shows(text: string): void {
    this.watch.sees(new TextEncoder().encode(text));
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true });
  }
}

const prompt = { type: "user", uuid: "u", parentUuid: null, message: { role: "user", content: "do it" } };
const answer = {
  type: "assistant",
  uuid: "a",
  parentUuid: "u",
  message: { role: "assistant", content: [{ type: "text", text: "done" }] },
};
const limit = {
  ...answer,
  isApiErrorMessage: true,
  error: "rate_limit",
  message: {
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text: "You've hit your limit · resets 2:50am (UTC)" }],
  },
};

test("Claude's own word for what it does comes first", () => {
  using claude = new Watched();
  claude.writes(prompt);
  for (const [status, signs] of [
    ["busy", { atWork: true, waits: false }],
    ["waiting", { waits: true }],
    ["idle", { atWork: false }],
  ] as const) {
    claude.live(status);
    expect(claude.watch.look()).toMatchObject({ goneFor: null, ...signs });
  }
});

test("older clients are at work when their transcript says so, and wait when a question is on the screen", () => {
  using claude = new Watched();
  expect(claude.watch.look()).toMatchObject({ goneFor: null, atWork: false, waits: false });
  claude.writes(prompt);
  expect(claude.watch.look()).toMatchObject({ atWork: true, waits: false });
  claude.shows("\u001b[1mDo you want to proceed?\u001b[0m\r\n ❯ 1. Yes\r\n   2. No\r\n");
  expect(claude.watch.look()).toMatchObject({ atWork: true, waits: true });
  claude.writes(answer);
  expect(claude.watch.look()).toMatchObject({ atWork: false });
});

test("a limit is waited for, by a client that calls itself busy too", () => {
  using claude = new Watched();
  claude.writes(prompt, limit);
  expect(claude.watch.look()).toMatchObject({ atWork: false });
  claude.live("busy");
  expect(claude.watch.look()).toMatchObject({ waits: true });
});

test("every change of the transcript and every output is a sign of life", () => {
  using claude = new Watched();
  claude.live("busy");
  claude.writes(prompt);
  claude.time = 1_000;
  expect(claude.watch.look().silence).toBe(0);
  claude.time = 5_000;
  expect(claude.watch.look().silence).toBe(4_000);
  claude.writes(answer);
  expect(claude.watch.look().silence).toBe(0);
  claude.time = 7_000;
  claude.shows(".");
  claude.time = 8_000;
  expect(claude.watch.look().silence).toBe(1_000);
});

test("a process that is gone is counted from the moment when that was seen", () => {
  const { pid } = Bun.spawnSync(["true"]);
  let time = 1_000;
  const watch = new ServiceWatch(currentEnvironment({ HOME: "/nowhere" }), "/nowhere", pid, () => time);
  expect(watch.look().goneFor).toBe(0);
  time = 3_000;
  expect(watch.look().goneFor).toBe(2_000);
});

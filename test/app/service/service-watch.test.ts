// What the watchdog observes of a claude.
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { ServiceWatch } from "../../../src/app/service/service-watch.ts";

const session = "11111111-2222-4333-8444-555555555555";

class WatchedClaude implements Disposable {
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

  /** Writes the file in which Claude reports its status; 2.1.112 wrote it without a status. */
  reportStatus(status: string | undefined): void {
    const text = JSON.stringify({ pid: process.pid, sessionId: session, status });
    writeFileSync(join(this.home, ".claude/sessions", `${process.pid}.json`), text);
  }

  writeTranscript(...records: object[]): void {
    const path = join(this.#transcripts, `${session}.jsonl`);
    for (const record of records)
      appendFileSync(path, `${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`);
  }

  print(text: string): void {
    this.watch.onOutput(new TextEncoder().encode(text));
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

test("prefers the status that Claude reports to its transcript", () => {
  using claude = new WatchedClaude();
  claude.writeTranscript(prompt);
  for (const [status, signs] of [
    ["busy", { isWorking: true, isWaiting: false }],
    ["waiting", { isWaiting: true }],
    ["idle", { isWorking: false }],
  ] as const) {
    claude.reportStatus(status);
    expect(claude.watch.readSigns()).toMatchObject({ goneForMs: null, ...signs });
  }
});

test("without a reported status, the transcript shows whether Claude works and the screen whether it waits", () => {
  using claude = new WatchedClaude();
  expect(claude.watch.readSigns()).toMatchObject({ goneForMs: null, isWorking: false, isWaiting: false });
  claude.writeTranscript(prompt);
  expect(claude.watch.readSigns()).toMatchObject({ isWorking: true, isWaiting: false });
  claude.print("\u001b[1mDo you want to proceed?\u001b[0m\r\n ❯ 1. Yes\r\n   2. No\r\n");
  expect(claude.watch.readSigns()).toMatchObject({ isWorking: true, isWaiting: true });
  claude.writeTranscript(answer);
  expect(claude.watch.readSigns()).toMatchObject({ isWorking: false });
});

test("Claude at a limit counts as waiting even when it reports busy", () => {
  using claude = new WatchedClaude();
  claude.writeTranscript(prompt, limit);
  expect(claude.watch.readSigns()).toMatchObject({ isWorking: false });
  claude.reportStatus("busy");
  expect(claude.watch.readSigns()).toMatchObject({ isWaiting: true });
});

test("every transcript change and every output resets the silence", () => {
  using claude = new WatchedClaude();
  claude.reportStatus("busy");
  claude.writeTranscript(prompt);
  claude.time = 1_000;
  expect(claude.watch.readSigns().silenceMs).toBe(0);
  claude.time = 5_000;
  expect(claude.watch.readSigns().silenceMs).toBe(4_000);
  claude.writeTranscript(answer);
  expect(claude.watch.readSigns().silenceMs).toBe(0);
  claude.time = 7_000;
  claude.print(".");
  claude.time = 8_000;
  expect(claude.watch.readSigns().silenceMs).toBe(1_000);
});

test("a missing process counts from the moment it was first found missing", () => {
  const { pid } = Bun.spawnSync(["true"]);
  let time = 1_000;
  const watch = new ServiceWatch(currentEnvironment({ HOME: "/nowhere" }), "/nowhere", pid, () => time);
  expect(watch.readSigns().goneForMs).toBe(0);
  time = 3_000;
  expect(watch.readSigns().goneForMs).toBe(2_000);
});

// A recorded conversation of three prompts and three tool calls, which tests damage and resume.
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ClaudeVersion } from "../sandbox/claude-versions.ts";
import { executable } from "../executable.ts";
import { type FakeAnthropic, fakeAnthropic } from "../anthropic/fake-anthropic.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { Finished } from "../sandbox/sandbox-process.ts";
import { type Story, story } from "../anthropic/scenario.ts";
import { SnapshotFiles } from "../worlds/snapshot-files.ts";
import type { TranscriptRecord } from "./transcript-records.ts";

/** Each step with the text that shows it in a request to the model. */
export const steps = [
  ["prompt 1", "PROMPT-1"],
  ["words 1", "WORDS-1"],
  ["call 1", "echo output-1"],
  ["result 1", '"output-1'],
  ["call 2", "echo output-2"],
  ["result 2", '"output-2'],
  ["answer 1", "ANSWER-1"],
  ["prompt 2", "PROMPT-2"],
  ["call 3", "echo output-3"],
  ["result 3", '"output-3'],
  ["answer 2", "ANSWER-2"],
  ["prompt 3", "PROMPT-3"],
  ["answer 3", "ANSWER-3"],
] as const;
export type Step = (typeof steps)[number][0];

/** The lines of a transcript, with functions that damage them. */
export class Lines {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  get text(): string {
    return `${this.lines.join("\n")}\n`;
  }

  record(step: Step): TranscriptRecord {
    return JSON.parse(this.lines[this.indexOf(step)] ?? "") as TranscriptRecord;
  }

  indexOf(step: Step): number {
    const mark = steps.find(([name]) => name === step)?.[1] ?? "";
    const type = /prompt|result/.test(step) ? "user" : "assistant";
    return this.lines.findIndex((line) => {
      const { type: actual, uuid, message } = JSON.parse(line) as TranscriptRecord;
      return actual === type && uuid !== undefined && JSON.stringify(message?.content).includes(mark);
    });
  }

  change(step: Step, change: (line: string) => string | string[]): Lines {
    const index = this.indexOf(step);
    return new Lines(this.lines.flatMap((line, at) => (at === index ? change(line) : line)));
  }

  /** Removes the record and relinks its children, so that no trace of it is left. */
  without(step: Step): Lines {
    const { uuid, parentUuid } = this.record(step);
    const link = (id: unknown): string => `"parentUuid":${JSON.stringify(id)}`;
    return new Lines(this.change(step, () => []).lines.map((line) => line.replace(link(uuid), link(parentUuid))));
  }
}

export class SixStepConversation implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly sessionId = randomUUID();
  readonly #api: FakeAnthropic;
  #path = "";
  #whole = "";

  private constructor(api: FakeAnthropic, sandbox: Sandbox) {
    this.#api = api;
    this.sandbox = sandbox;
  }

  static async record(version: ClaudeVersion): Promise<SixStepConversation> {
    const conversation = new SixStepConversation(await fakeAnthropic(), await createSandbox({ claude: version }));
    await conversation.#converse();
    return conversation;
  }

  get lines(): Lines {
    return new Lines(this.#whole.split("\n").filter(Boolean));
  }

  read(): string {
    return readFileSync(this.#path, "utf8");
  }

  /** Writes the transcript, and either restores the snapshot of the healthy one or removes it. */
  set(content: string | Uint8Array, { snapshot }: { snapshot: boolean }): void {
    const { root } = new SnapshotFiles(this.sandbox);
    rmSync(root, { recursive: true, force: true });
    if (snapshot) cpSync(`${root}.kept`, root, { recursive: true });
    writeFileSync(this.#path, content);
  }

  command(...words: string[]): Promise<Finished> {
    return this.sandbox.run(["session-snapshot", ...words]);
  }

  /** Resumes the session; returns the messages that the model receives. */
  async resume(): Promise<unknown[]> {
    const before = this.#api.mainRequests.length;
    const run = await this.#say("NEXT", story().says("Continuing."), ["--resume", this.sessionId]);
    if (run.exitCode !== 0) throw new Error(`resume failed: ${run.stdout}${run.stderr}`);
    const { body } = await this.#api.request(before + 1);
    const withoutCaching = (key: string, value: unknown): unknown => (key === "cache_control" ? undefined : value);
    return JSON.parse(JSON.stringify(body.messages ?? [], withoutCaching)) as unknown[];
  }

  /** Forks the session; returns the path of the fork's transcript. */
  async fork(): Promise<string> {
    await this.#say("FORK", story().says("Forked."), ["--resume", this.sessionId, "--fork-session"]);
    const path = (await this.sandbox.transcripts()).findLast((each) => each !== this.#path);
    if (path === undefined) throw new Error("no fork was written");
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
    await this.#api[Symbol.asyncDispose]();
  }

  async #converse(): Promise<void> {
    const echo = (n: number) => ["Bash", { command: `echo output-${n}`, description: "Print" }] as const;
    const first = story().callsTool(...echo(1), { saying: "WORDS-1" });
    await this.#say("PROMPT-1", first.callsTool(...echo(2)).says("ANSWER-1"), ["--session-id", this.sessionId]);
    const resume = ["--resume", this.sessionId];
    await this.#say(
      "PROMPT-2",
      story()
        .callsTool(...echo(3))
        .says("ANSWER-2"),
      resume,
    );
    await this.#say("PROMPT-3", story().says("ANSWER-3"), resume);
    const [path = ""] = await this.sandbox.transcripts();
    this.#path = path;
    this.#whole = this.read();
    await this.sandbox.installBinaries(executable);
    const payload = { session_id: this.sessionId, transcript_path: path, hook_event_name: "Stop" };
    await this.sandbox.run(["session-snapshot", "hook"], { stdin: JSON.stringify(payload) });
    const { root } = new SnapshotFiles(this.sandbox);
    if (!existsSync(`${root}/snapshots/${this.sessionId}.jsonl`)) throw new Error("no snapshot was taken");
    cpSync(root, `${root}.kept`, { recursive: true });
  }

  #say(prompt: string, replies: Story, flags: readonly string[]): Promise<Finished> {
    this.#api.plays(replies);
    return this.sandbox.claude(this.#api, ["-p", prompt, ...flags, "--dangerously-skip-permissions"]);
  }
}

/** The steps that are missing from the messages. */
export function lostSteps(messages: unknown): Step[] {
  const text = JSON.stringify(messages);
  return steps.flatMap(([name, mark]) => (text.includes(mark) ? [] : name));
}

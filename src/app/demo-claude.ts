import {
  callRecord,
  demoLine,
  type DemoSession,
  demoStreamLine,
  errorRecord,
  initEvent,
  limitEvent,
  promptRecord,
  resultEvent,
  resultRecord,
  sayRecord,
} from "../claude/demo-records.ts";
import { type Segment, splitArguments, valueOf } from "../claude/flags.ts";
import { installedHook } from "../claude/installed-hooks.ts";
import type { JsonObject } from "../claude/json-object.ts";
import { projectDirectoryName, projectsDirectory, settingsPath } from "../claude/paths.ts";
import { type DemoPart, demoStories, type DemoStory, type DemoTurn } from "../core/demo-script.ts";
import { appendLine } from "../io/durable-append-line.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { parentOf, readText } from "../io/read-file.ts";
import { runToEnd } from "../io/run-to-end.ts";
import type { Environment } from "./environment.ts";

/** The scripted Claude writes like this one. */
export const demoVersion = "2.1.325";

/** Set by the demo for its scripted Claude: where it counts its starts, which story it plays, how fast. */
export const demoVariables = {
  directory: "AI_RUNTIME_DEMO_DIRECTORY",
  story: "AI_RUNTIME_DEMO_STORY",
  pace: "AI_RUNTIME_DEMO_PACE",
} as const;

/** Seconds from the limit to its end, at the usual pace. */
const limitSeconds = 6;

export type DemoExit = { readonly exitCode: number } | "crash";

/**
 * The demo's stand-in for claude: it thinks of nothing and asks nobody, but leaves behind what Claude leaves behind, calls the
 * hooks that are installed, and fails as Claude does.
 */
export class DemoClaude {
  readonly #environment: Environment;
  readonly #print: (line: string) => void;
  readonly #segments: readonly Segment[];
  readonly #session: DemoSession;
  readonly #transcript: string;
  readonly #pace: number;
  #parent: string | null = null;
  #turns = 0;

  constructor(environment: Environment, argv: readonly string[], print: (line: string) => void) {
    this.#environment = environment;
    this.#print = print;
    this.#segments = splitArguments(argv);
    const { cwd, claudeConfig, variables } = environment;
    const sessionId = valueOf(this.#segments, "resume") ?? valueOf(this.#segments, "session-id") ?? crypto.randomUUID();
    this.#session = { sessionId, cwd, version: demoVersion, time: "" };
    this.#transcript = `${projectsDirectory(claudeConfig)}/${projectDirectoryName(cwd)}/${sessionId}.jsonl`;
    this.#pace = Number(variables[demoVariables.pace] ?? 1);
  }

  async play(stdin: string): Promise<DemoExit> {
    const part = this.#nextPart();
    makeDirectory(parentOf(this.#transcript), { shared: true });
    const written = (readText(this.#transcript) ?? "").trimEnd().split("\n").at(-1) ?? "";
    if (written !== "") this.#parent = (JSON.parse(written) as { uuid: string }).uuid;
    this.#stream(initEvent(this.#session));
    await this.#hook("SessionStart", { source: this.#parent === null ? "startup" : "resume" });
    const prompt = this.#segments.flatMap((segment) => (segment.kind === "prompt" ? segment.words : []))[0] ?? stdin;
    this.#write(promptRecord(prompt));
    await this.#hook("UserPromptSubmit", { prompt });
    for (const turn of part.turns) await this.#turn(turn);
    return this.#end(part);
  }

  #nextPart(): DemoPart {
    const { variables } = this.#environment;
    const story = variables[demoVariables.story] as DemoStory;
    const counter = `${variables[demoVariables.directory]}/starts-${story}`;
    const start = Number(readText(counter) ?? 0);
    replaceFile(counter, String(start + 1));
    const parts = demoStories[story];
    const part = parts[Math.min(start, parts.length - 1)];
    if (!part) throw new Error(`there is no story ${story}`);
    return part;
  }

  async #turn(turn: DemoTurn): Promise<void> {
    const id = this.#id();
    this.#say(callRecord(id, turn));
    await Bun.sleep(500 * this.#pace);
    if (turn.content !== undefined) {
      makeDirectory(parentOf(`${this.#session.cwd}/${turn.subject}`), { shared: true });
      replaceFile(`${this.#session.cwd}/${turn.subject}`, turn.content, { mode: 0o644 });
    }
    this.#say(resultRecord(id, turn));
    await this.#hook("PostToolUse", { tool_name: turn.tool, tool_input: { file_path: turn.subject } });
    if (turn.step !== undefined) {
      this.#say(sayRecord(this.#id(), `<!-- CHECKPOINT: ${turn.step} -->`, turn.tokens));
    }
  }

  async #end({ end }: DemoPart): Promise<DemoExit> {
    switch (end.kind) {
      case "crash":
        return "crash";
      case "done":
        this.#say(sayRecord(this.#id(), end.answer, 0));
        await this.#hook("Stop", { last_assistant_message: end.answer });
        return this.#finish(end.answer, false);
      case "limit": {
        const resetsAt = Math.ceil(this.#environment.now() / 1000 + limitSeconds * this.#pace);
        this.#stream(limitEvent(resetsAt));
        return this.#fail("You've hit your session limit", { kind: "rate_limit", resetsAt });
      }
      case "too-long": {
        const details = `prompt is too long: ${end.tokens} tokens > 200000 maximum`;
        return this.#fail("Prompt is too long", { kind: "invalid_request", details });
      }
    }
  }

  async #fail(text: string, error: Parameters<typeof errorRecord>[2]): Promise<DemoExit> {
    const { transcript, stream } = errorRecord(this.#id(), text, error);
    this.#write(transcript);
    this.#stream(stream);
    await this.#hook("StopFailure", { error: error.kind });
    return this.#finish(text, true);
  }

  async #finish(text: string, isError: boolean): Promise<DemoExit> {
    if (!this.#streams()) this.#print(text);
    this.#stream(resultEvent(text, isError, this.#turns));
    await this.#hook("SessionEnd", { reason: "other" });
    return { exitCode: isError ? 1 : 0 };
  }

  #say(fields: JsonObject): void {
    this.#write(fields);
    this.#stream(fields);
    this.#turns += 1;
  }

  #write(fields: JsonObject): void {
    const uuid = crypto.randomUUID();
    const session = { ...this.#session, time: new Date(this.#environment.now()).toISOString() };
    appendLine(this.#transcript, demoLine(session, this.#parent, uuid, fields));
    this.#parent = uuid;
  }

  #stream(fields: JsonObject): void {
    if (this.#streams()) this.#print(demoStreamLine(this.#session, fields));
  }

  #streams(): boolean {
    return valueOf(this.#segments, "output-format") === "stream-json";
  }

  readonly #id = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 24);

  /** As Claude does: the command of the settings, the payload on its stdin. */
  async #hook(event: string, more: JsonObject): Promise<void> {
    const { claudeConfig, variables } = this.#environment;
    const hook = installedHook(readText(settingsPath(claudeConfig)), event);
    if (!hook) return;
    const payload = { session_id: this.#session.sessionId, transcript_path: this.#transcript, cwd: this.#session.cwd };
    await runToEnd(hook.args ? [hook.command, ...hook.args] : ["sh", "-c", hook.command], {
      variables,
      milliseconds: 10_000,
      stdin: JSON.stringify({ ...payload, hook_event_name: event, ...more }),
    });
  }
}

import {
  callRecord,
  type DemoError,
  type DemoHookCall,
  demoHookCalls,
  demoLine,
  type DemoSession,
  demoStreamLine,
  errorRecord,
  initEvent,
  limitError,
  limitEvent,
  promptRecord,
  resultEvent,
  resultRecord,
  sayRecord,
  tooLongError,
  uuidOfLine,
} from "../../claude/demo-records.ts";
import { type Segment, splitArguments, valueOf } from "../../claude/argv/flags.ts";
import { formatHookPayload } from "../../claude/hooks/hook-payload.ts";
import { installedHook } from "../../claude/hooks/installed-hooks.ts";
import type { JsonObject } from "../../claude/json-object.ts";
import { projectDirectoryName, projectsDirectory, settingsPath, transcriptPath } from "../../claude/paths.ts";
import { stepMarker } from "../../claude/stream/step-reader.ts";
import { type DemoPart, demoStories, type DemoStory, type DemoTurn } from "../../core/demo-script.ts";
import { appendLine } from "../../io/durable/append-line.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { removeTree } from "../../io/durable/remove-tree.ts";
import { parentOf, readText } from "../../io/files/read-file.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import type { Environment } from "../environment.ts";

/** The Claude version whose formats the scripted Claude writes. */
export const demoVersion = "2.1.326";

/** Set by the demo for its scripted Claude: where it counts its starts, which story it plays, and how fast. */
export const demoVariables = {
  directory: "AI_RUNTIME_DEMO_DIRECTORY",
  story: "AI_RUNTIME_DEMO_STORY",
  pace: "AI_RUNTIME_DEMO_PACE",
} as const;

/** Seconds until the limit resets, at normal pace. */
const limitSeconds = 6;

export type DemoExit = { readonly exitCode: number } | "crash";

/**
 * The demo's replacement for claude. It uses no model and no network, but writes the same files as Claude, calls the installed
 * hooks, and fails as Claude does.
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
    this.#transcript = transcriptPath(`${projectsDirectory(claudeConfig)}/${projectDirectoryName(cwd)}`, sessionId);
    this.#pace = Number(variables[demoVariables.pace] ?? 1);
  }

  async play(stdin: string): Promise<DemoExit> {
    const part = this.#nextPart();
    makeDirectory(parentOf(this.#transcript), { shared: true });
    const written = (readText(this.#transcript) ?? "").trimEnd().split("\n").at(-1) ?? "";
    if (written !== "") this.#parent = uuidOfLine(written) ?? null;
    this.#stream(initEvent(this.#session));
    await this.#hook(demoHookCalls.sessionStart(this.#parent !== null));
    const prompt = this.#segments.flatMap((segment) => (segment.kind === "prompt" ? segment.words : []))[0] ?? stdin;
    this.#write(promptRecord(prompt));
    await this.#hook(demoHookCalls.prompt(prompt));
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
    if (!part) throw new Error(`unknown demo story ${story}`);
    return part;
  }

  async #turn(turn: DemoTurn): Promise<void> {
    const id = this.#id();
    this.#say(callRecord(id, turn));
    await this.#hook(demoHookCalls.beforeCall(turn));
    await Bun.sleep(500 * this.#pace);
    if (turn.deletes !== undefined) removeTree(`${this.#session.cwd}/${turn.deletes}`);
    if (turn.content !== undefined) {
      makeDirectory(parentOf(`${this.#session.cwd}/${turn.subject}`), { shared: true });
      replaceFile(`${this.#session.cwd}/${turn.subject}`, turn.content, { mode: 0o644 });
    }
    this.#say(resultRecord(id, turn));
    await this.#hook(demoHookCalls.toolCall(turn));
    if (turn.step !== undefined) {
      this.#say(sayRecord(this.#id(), stepMarker(turn.step), turn.tokens));
    }
  }

  async #end({ end }: DemoPart): Promise<DemoExit> {
    switch (end.kind) {
      case "crash":
        return "crash";
      case "done":
        this.#say(sayRecord(this.#id(), end.answer, 0));
        await this.#hook(demoHookCalls.answer(end.answer));
        return this.#finish(end.answer, false);
      case "limit": {
        const resetsAt = Math.ceil(this.#environment.now() / 1000 + limitSeconds * this.#pace);
        this.#stream(limitEvent(resetsAt));
        return this.#fail(limitError(resetsAt));
      }
      case "too-long":
        return this.#fail(tooLongError(end.tokens));
    }
  }

  async #fail(error: DemoError): Promise<DemoExit> {
    const { transcript, stream } = errorRecord(this.#id(), error);
    this.#write(transcript);
    this.#stream(stream);
    await this.#hook(demoHookCalls.failure(error));
    return this.#finish(error.text, true);
  }

  async #finish(text: string, isError: boolean): Promise<DemoExit> {
    if (!this.#isStreaming()) this.#print(text);
    this.#stream(resultEvent(text, isError, this.#turns));
    await this.#hook(demoHookCalls.sessionEnd());
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
    if (this.#isStreaming()) this.#print(demoStreamLine(this.#session, fields));
  }

  #isStreaming(): boolean {
    return valueOf(this.#segments, "output-format") === "stream-json";
  }

  readonly #id = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 24);

  /** Runs the hook command from the settings with the payload on stdin, as Claude does. */
  async #hook({ event, fields }: DemoHookCall): Promise<void> {
    const { claudeConfig, variables } = this.#environment;
    const hook = installedHook(readText(settingsPath(claudeConfig)), event);
    if (!hook) return;
    const { sessionId, cwd } = this.#session;
    await runToEnd(hook.args ? [hook.command, ...hook.args] : ["sh", "-c", hook.command], {
      variables,
      milliseconds: 10_000,
      stdin: formatHookPayload({ event, sessionId, transcriptPath: this.#transcript, cwd }, fields),
    });
  }
}

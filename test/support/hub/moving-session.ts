import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import { executable } from "../executable.ts";
import { type CommandResult, runProgram } from "../run-program.ts";
import { HubMachine } from "./machine.ts";

/** A machine with a checkout of the same project as the others, and a stand-in for claude that records its arguments. */
export class Workstation extends HubMachine {
  readonly checkout: string;
  readonly #started: string;

  constructor(name: string, options: { readonly background?: boolean } = {}) {
    super(options);
    this.checkout = join(this.home, `src-${name}`, "cart");
    mkdirSync(this.checkout, { recursive: true });
    const git = (...words: string[]): void => void Bun.spawnSync(["git", "-C", this.checkout, ...words]);
    git("init", "-q");
    git("remote", "add", "origin", name === "a" ? "git@host.example:me/cart.git" : "https://host.example/me/cart");
    this.#started = join(this.home, "started.txt");
    const claude = join(this.home, "claude");
    writeFileSync(claude, `#!/bin/sh\necho "$PWD $*" >> "${this.#started}"\n`);
    chmodSync(claude, 0o755);
    this.env["CCLAUDE_CLAUDE_BIN"] = claude;
  }

  transcriptHere(sessionId: string): string {
    return join(this.home, ".claude/projects", projectDirectoryName(this.checkout), `${sessionId}.jsonl`);
  }

  /** One turn of a conversation: a few lines, the changed file, and the hook at the end of the turn. */
  async turn(sessionId: string, text: string): Promise<void> {
    await this.hookWith(this.write(sessionId, text));
  }

  /** What claude writes in a turn; returns the payload of the hook at its end. */
  write(sessionId: string, text: string): string {
    const path = this.transcriptHere(sessionId);
    mkdirSync(dirname(path), { recursive: true });
    const last = existsSync(path) ? (readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "") : "";
    const before = last === "" ? null : (JSON.parse(last) as { uuid: string }).uuid;
    const entry = (type: "user" | "assistant", parentUuid: string | null): string =>
      `${JSON.stringify({ parentUuid, type, uuid: `${text}-${type}`, sessionId, cwd: this.checkout, message: { role: type, content: text } })}\n`;
    appendFileSync(path, entry("user", before) + entry("assistant", `${text}-user`));
    writeFileSync(join(this.checkout, "cart.txt"), text);
    const payload = { session_id: sessionId, transcript_path: path, cwd: this.checkout, hook_event_name: "Stop" };
    return JSON.stringify(payload);
  }

  /** Runs a command and kills it after a while, unless it has ended; returns its exit code, or undefined when it was killed. */
  async runAndKill(words: string[], afterMs: number, stdin = ""): Promise<number | undefined> {
    const child = Bun.spawn([executable, ...words], {
      env: this.env,
      cwd: this.checkout,
      stdin: new TextEncoder().encode(stdin),
      stdout: "ignore",
      stderr: "ignore",
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    await child.exited;
    clearTimeout(timer);
    return child.signalCode === null ? (child.exitCode ?? undefined) : undefined;
  }

  words(sessionId: string): string[] {
    const path = this.transcriptHere(sessionId);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { message: { content: string } }).message.content);
  }

  cclaude(words: string[], cwd: string = this.checkout): Promise<CommandResult> {
    return runProgram([executable, "cclaude", ...words], { env: this.env, cwd });
  }

  sync(): Promise<CommandResult> {
    return this.succeed(["hub", "sync"]);
  }

  /** The arguments of every claude that cclaude started. */
  started(): string[] {
    return existsSync(this.#started) ? readFileSync(this.#started, "utf8").trimEnd().split("\n") : [];
  }
}

import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../executable.ts";
import { type CommandResult, runProgram } from "../run-program.ts";
import { SnapshotFiles } from "./snapshot-files.ts";

/** A home with a Claude directory but without Claude; tests call the built executable's hook directly. */
export class HookWorld implements Disposable {
  readonly home: string;
  readonly project: string;
  readonly files: SnapshotFiles;
  readonly env: Record<string, string>;

  constructor(home: string = realpathSync(mkdtempSync(join(tmpdir(), "hook-")))) {
    this.home = home;
    this.project = join(home, ".claude/projects/-project");
    this.files = new SnapshotFiles(this);
    this.env = { HOME: home, PATH: "/usr/bin:/bin", TZ: "UTC" };
    mkdirSync(this.project, { recursive: true });
  }

  transcript(sessionId: string): string {
    return join(this.project, `${sessionId}.jsonl`);
  }

  /** Appends about `bytes` of complete lines with numbered texts and token counts. */
  grow(sessionId: string, bytes: number, label = "step"): void {
    let text = "";
    for (let line = 0; text.length < bytes; line++) {
      const usage = { input_tokens: text.length + 1 };
      const content = [{ type: "text", text: `${label} ${line} ${"x".repeat(400)}` }];
      text += `${JSON.stringify({ type: "assistant", uuid: `${label}-${line}`, message: { usage, content } })}\n`;
    }
    appendFileSync(this.transcript(sessionId), text);
  }

  overwrite(sessionId: string, text: string): void {
    writeFileSync(this.transcript(sessionId), text);
  }

  read(sessionId: string): Buffer {
    return readFileSync(this.transcript(sessionId));
  }

  payload(sessionId: string, event = "Stop", more: object = {}): string {
    return JSON.stringify({
      session_id: sessionId,
      transcript_path: this.transcript(sessionId),
      hook_event_name: event,
      ...more,
    });
  }

  /** Fails if the hook exits with an error or prints anything, which would disturb Claude. */
  async hook(sessionId: string, event?: string, more?: object): Promise<void> {
    await this.hookWith(this.payload(sessionId, event, more));
  }

  async hookWith(stdin: string): Promise<void> {
    const result = await this.run(["hook"], stdin);
    if (result.exitCode !== 0 || result.stdout + result.stderr !== "") {
      throw new Error(`the hook disturbed Claude: ${JSON.stringify(result)}`);
    }
  }

  run(words: string[], stdin = ""): Promise<CommandResult> {
    return this.aiRuntime(["session-snapshot", ...words], stdin);
  }

  aiRuntime(words: string[], stdin = ""): Promise<CommandResult> {
    return runProgram([executable, ...words], { env: this.env, cwd: this.home, stdin });
  }

  log(): string {
    return readFileSync(join(this.files.root, "logs/snapshot.log"), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

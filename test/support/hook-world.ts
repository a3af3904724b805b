import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "./executable.ts";
import { SnapshotFiles } from "./snapshot-files.ts";

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A home with a Claude directory and no Claude: for what can be shown by calling the built executable's hook by hand. */
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

  /** Whole lines, about `bytes` of them, that name their number and the tokens used. */
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

  /** The hook must never disturb Claude: so every call in every test checks that. */
  async hook(sessionId: string, event?: string, more?: object): Promise<void> {
    await this.hookWith(this.payload(sessionId, event, more));
  }

  async hookWith(stdin: string): Promise<void> {
    const result = await this.run(["hook"], stdin);
    if (result.exitCode !== 0 || result.stdout + result.stderr !== "") {
      throw new Error(`the hook disturbed Claude: ${JSON.stringify(result)}`);
    }
  }

  async run(words: string[], stdin = ""): Promise<CommandResult> {
    const child = Bun.spawn([executable, "session-snapshot", ...words], {
      env: this.env,
      cwd: this.home,
      stdin: new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { exitCode, stdout, stderr };
  }

  log(): string {
    return readFileSync(join(this.files.root, "logs/snapshot.log"), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

// A real terminal (tmux) with a shell: tests send keys and read the screen.
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";

const timeoutMs = 240_000;

/** Why terminal tests cannot run here, or undefined if they can. On CI a missing tmux is an error. */
export function tmuxMissing(): string | undefined {
  if (Bun.which("tmux") !== null) return undefined;
  if (process.env["CI"]) throw new Error("tmux is not installed, but the terminal tests need it");
  return "tmux is not installed";
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export class Tmux implements AsyncDisposable {
  readonly #socket: string;
  readonly #output: string;
  readonly #env: Readonly<Record<string, string>>;
  #isKilled = false;

  /** Starts bash with the prompt `READY> ` in the sandbox's project. A second terminal in the same sandbox needs another name. */
  constructor(
    sandbox: Sandbox,
    env: Readonly<Record<string, string>>,
    { columns, rows }: Size,
    { name = "tmux" }: { readonly name?: string } = {},
  ) {
    this.#socket = join(sandbox.root, `${name}.sock`);
    const log = join(sandbox.root, name);
    mkdirSync(log);
    this.#output = join(log, "output");
    writeFileSync(this.#output, "");
    this.#env = { ...sandbox.env, ...env, CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1" };
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#run([
      "new-session",
      "-d",
      ...size,
      "-c",
      sandbox.projectDir,
      "exec env PS1='READY> ' bash --norc --noprofile",
    ]);
    this.#run(["pipe-pane", "-O", `cat >> ${this.#output}`]);
  }

  /** Sends literal text. */
  type(text: string): void {
    this.#run(["send-keys", "-l", text]);
  }

  /** Pastes as a terminal does: marked as a paste where the program wants it. */
  paste(text: string): void {
    this.#run(["set-buffer", text]);
    this.#run(["paste-buffer", "-p"]);
  }

  /** Sends keys by their tmux names, such as `C-c` or `Enter`. */
  press(...keys: string[]): void {
    this.#run(["send-keys", ...keys]);
  }

  resize({ columns, rows }: Size): void {
    this.#run(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }

  get screen(): string {
    return this.#run(["capture-pane", "-p"]);
  }

  /** The screen with its colors and styles, and the cursor's position and visibility. */
  get picture(): { readonly screen: string; readonly cursor: string } {
    const cursor = "#{cursor_x},#{cursor_y} #{?cursor_flag,shown,hidden} #{?alternate_on,alternate,main}";
    return {
      screen: this.#run(["capture-pane", "-p", "-e"]),
      cursor: this.#run(["display-message", "-p", cursor]).trim(),
    };
  }

  /** The mouse and keypad modes that the running program has enabled. */
  get modes(): string {
    const flags = ["mouse_any", "mouse_button", "mouse_standard", "mouse_sgr", "keypad_cursor", "keypad"];
    const asked = flags.map((flag) => `#{?${flag}_flag,${flag} ,}`).join("");
    return this.#run(["display-message", "-p", asked]).trim();
  }

  /** The screen including the lines that scrolled off. */
  get history(): string {
    return this.#run(["capture-pane", "-p", "-S", "-"]);
  }

  /** Repeats the key until the screen matches, because a busy program may lose a key. */
  async pressUntil(key: string, expected: RegExp): Promise<string> {
    this.press(key);
    const again = setInterval(() => this.press(key), 5_000);
    return this.until(expected).finally(() => clearInterval(again));
  }

  /** Waits until the screen matches; checks it whenever the program writes. */
  async until(expected: RegExp | ((screen: string) => boolean), what: string = String(expected)): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const look = (): void => {
      const { screen } = this;
      if (expected instanceof RegExp ? expected.test(screen) : expected(screen)) resolve(screen);
    };
    const watcher = watch(this.#output, look);
    const deadline = setTimeout(
      () => reject(new Error(`timed out waiting on the screen for ${what}\n${this.screen}`)),
      timeoutMs,
    );
    // tmux updates the screen a moment after it logs the bytes.
    const again = setInterval(look, 250);
    look();
    return promise.finally(() => {
      clearTimeout(deadline);
      clearInterval(again);
      watcher.close();
    });
  }

  /** Kills the terminal, as when the user's connection is lost: its programs get at most a hangup. */
  kill(): void {
    this.#isKilled = true;
    this.#run(["kill-server"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isKilled) this.kill();
  }

  #run(words: readonly string[]): string {
    const command = ["tmux", "-S", this.#socket, "-f", "/dev/null", ...words];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...this.#env }, stdin: "ignore" });
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  }
}

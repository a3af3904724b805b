// A real terminal with a shell in it, driven by keys and read by its screen. tmux is needed only where this is used.
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

const patience = 60_000;

/** Why tests in a terminal cannot run here; undefined when they can. On CI a missing tmux is a failure, not a reason. */
export function tmuxMissing(): string | undefined {
  if (Bun.which("tmux") !== null) return undefined;
  if (process.env["CI"]) throw new Error("tmux is not installed, and the tests in a terminal need it");
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
  #isOver = false;

  /** A bash whose prompt is `READY> `, in the sandbox's project. A second one in the same sandbox needs another name. */
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

  /** Text as it is, or a key by its name, as `C-c` or `Enter`. */
  type(text: string): void {
    this.#run(["send-keys", "-l", text]);
  }

  press(...keys: string[]): void {
    this.#run(["send-keys", ...keys]);
  }

  resize({ columns, rows }: Size): void {
    this.#run(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }

  get screen(): string {
    return this.#run(["capture-pane", "-p"]);
  }

  /** The screen with its colours and styles, and where the cursor is and whether it is shown. */
  get picture(): { readonly screen: string; readonly cursor: string } {
    const cursor = "#{cursor_x},#{cursor_y} #{?cursor_flag,shown,hidden} #{?alternate_on,alternate,main}";
    return {
      screen: this.#run(["capture-pane", "-p", "-e"]),
      cursor: this.#run(["display-message", "-p", cursor]).trim(),
    };
  }

  /** What a program in it has switched on. */
  get modes(): string {
    const flags = ["mouse_any", "mouse_button", "mouse_standard", "mouse_sgr", "keypad_cursor", "keypad"];
    const asked = flags.map((flag) => `#{?${flag}_flag,${flag} ,}`).join("");
    return this.#run(["display-message", "-p", asked]).trim();
  }

  /** With what has scrolled off. */
  get history(): string {
    return this.#run(["capture-pane", "-p", "-S", "-"]);
  }

  /** A program that is busy at that moment may lose a key: it is pressed again as long as nothing comes of it. */
  async pressUntil(key: string, wanted: RegExp): Promise<string> {
    this.press(key);
    const again = setInterval(() => this.press(key), 5_000);
    return this.until(wanted).finally(() => clearInterval(again));
  }

  /** Settles once the screen is as wanted; looked at whenever something was written on it. */
  async until(wanted: RegExp | ((screen: string) => boolean), what: string = String(wanted)): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const look = (): void => {
      const { screen } = this;
      if (wanted instanceof RegExp ? wanted.test(screen) : wanted(screen)) resolve(screen);
    };
    const watcher = watch(this.#output, look);
    const deadline = setTimeout(() => reject(new Error(`never on the screen: ${what}\n${this.screen}`)), patience);
    // What comes with the last bytes is painted a moment after they were logged.
    const again = setInterval(look, 250);
    look();
    return promise.finally(() => {
      clearTimeout(deadline);
      clearInterval(again);
      watcher.close();
    });
  }

  /** As when the machine of the user's terminal is gone: its programs get a hangup at the most. */
  kill(): void {
    this.#isOver = true;
    this.#run(["kill-server"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) this.kill();
  }

  #run(words: readonly string[]): string {
    const command = ["tmux", "-S", this.#socket, "-f", "/dev/null", ...words];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...this.#env }, stdin: "ignore" });
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  }
}

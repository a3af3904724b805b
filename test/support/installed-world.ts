import { copyFileSync, linkSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "./executable.ts";
import { type CommandResult, HookWorld } from "./hook-world.ts";

/** A home in which the executable lies in a directory of its own, as it does for users; it is called as ai-runtime. */
export class InstalledWorld implements Disposable {
  readonly #world = new HookWorld();
  readonly home = this.#world.home;
  readonly env = this.#world.env;
  readonly bin = join(this.home, "bin");
  readonly program = join(this.bin, "ai-runtime");
  readonly settings = join(this.home, ".claude/settings.json");
  readonly directory = join(this.home, "work");

  constructor() {
    mkdirSync(this.bin);
    mkdirSync(this.directory);
    try {
      linkSync(executable, this.program);
    } catch {
      copyFileSync(executable, this.program);
    }
  }

  run(...words: string[]): Promise<CommandResult> {
    return this.runWith("", words);
  }

  async runWith(
    stdin: string,
    words: readonly string[],
    { cwd = this.directory, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
  ): Promise<CommandResult> {
    const child = Bun.spawn([this.program, ...words], {
      env: { ...this.env, ...env },
      cwd,
      stdin: new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { exitCode, stdout, stderr };
  }

  text(): string {
    return readFileSync(this.settings, "utf8");
  }

  [Symbol.dispose](): void {
    this.#world[Symbol.dispose]();
  }
}

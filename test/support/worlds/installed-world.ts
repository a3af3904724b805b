import { copyFileSync, linkSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../executable.ts";
import { type CommandResult, runProgram } from "../run-program.ts";
import { HookWorld } from "./hook-world.ts";

/** A home with the executable installed as `ai-runtime` in its own directory, as users have it. */
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
    placeExecutable(this.program);
  }

  run(...words: string[]): Promise<CommandResult> {
    return this.runWith("", words);
  }

  runWith(
    stdin: string,
    words: readonly string[],
    { cwd = this.directory, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
  ): Promise<CommandResult> {
    return runProgram([this.program, ...words], { env: { ...this.env, ...env }, cwd, stdin });
  }

  text(): string {
    return readFileSync(this.settings, "utf8");
  }

  [Symbol.dispose](): void {
    this.#world[Symbol.dispose]();
  }
}

/** Links the executable, or copies it to another file system. */
export function placeExecutable(target: string): void {
  try {
    linkSync(executable, target);
  } catch {
    copyFileSync(executable, target);
  }
}

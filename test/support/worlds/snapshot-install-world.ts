import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandResult, runProgram } from "../run-program.ts";
import { HookWorld } from "./hook-world.ts";
import { placeExecutable } from "./installed-world.ts";

/** A home with the executable in its own directory, as users have it, for `session-snapshot install`. */
export class SnapshotInstallWorld extends HookWorld {
  readonly bin = join(this.home, "bin");
  readonly program = join(this.bin, "ai-runtime");
  readonly settings = join(this.home, ".claude/settings.json");

  constructor() {
    super();
    mkdirSync(this.bin);
    placeExecutable(this.program);
  }

  session(...words: string[]): Promise<CommandResult> {
    return runProgram([this.program, "session-snapshot", ...words], { env: this.env });
  }

  text(): string {
    return readFileSync(this.settings, "utf8");
  }
}

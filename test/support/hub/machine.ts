import { readFileSync } from "node:fs";
import type { CommandResult } from "../run-program.ts";
import { HookWorld } from "../worlds/hook-world.ts";

/** One machine of a hub: a home of its own, and the built executable. */
export class HubMachine extends HookWorld {
  constructor({ home, background = false }: { readonly home?: string; readonly background?: boolean } = {}) {
    super(home);
    if (!background) this.env["AI_RUNTIME_HUB_NO_REPLICATOR"] = "1";
  }

  hub(words: string[], stdin = ""): Promise<CommandResult> {
    return this.aiRuntime(["hub", ...words], stdin);
  }

  /** Creates the hub; returns the line for other machines. */
  async init(url: string): Promise<string> {
    return (await this.succeed(["hub", "init", url])).stdout.trim();
  }

  async join(line: string): Promise<void> {
    await this.succeed(["hub", "join"], `${line}\n`);
  }

  async succeed(words: string[], stdin = ""): Promise<CommandResult> {
    const result = await this.aiRuntime(words, stdin);
    if (result.exitCode !== 0) throw new Error(`${words.join(" ")}: ${JSON.stringify(result)}`);
    return result;
  }

  get configPath(): string {
    return `${this.files.root}/hub.json`;
  }

  config(): { key: string; hub: string; machine: string; url: string } {
    return JSON.parse(readFileSync(this.configPath, "utf8"));
  }
}

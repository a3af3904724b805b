import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HookEntry, snapshotHookEntries } from "../../../src/claude/hooks/hook-entries.ts";
import { executable } from "../executable.ts";

/** A home and a project for cclaude, with scripts in place of claude. */
export class CclaudeWorld implements Disposable {
  readonly scratch = realpathSync(mkdtempSync(join(tmpdir(), "cclaude-")));
  readonly home = join(this.scratch, "home");
  readonly project = join(this.scratch, "project");
  readonly sessionId = "11111111-2222-4333-8444-555555555555";
  readonly #transcripts = join(this.home, ".claude/projects", this.project.replaceAll(/[^A-Za-z0-9]/g, "-"));
  readonly transcript = join(this.#transcripts, `${this.sessionId}.jsonl`);

  constructor() {
    for (const directory of [this.home, this.project]) mkdirSync(directory, { recursive: true });
  }

  /** Removes what an earlier start left, so that there is nothing to bring back, and writes Claude's settings. */
  reset(settings: object): void {
    rmSync(join(this.home, ".config"), { recursive: true, force: true });
    rmSync(this.#transcripts, { recursive: true, force: true });
    mkdirSync(this.#transcripts, { recursive: true });
    rmSync(join(this.home, ".claude/sessions"), { recursive: true, force: true });
    writeFileSync(join(this.home, ".claude/settings.json"), JSON.stringify(settings));
  }

  /** The variables of a cclaude that starts this claude and does not pause before a restart. */
  variables(claude: string): Record<string, string> {
    return { HOME: this.home, PATH: "/usr/bin:/bin", CCLAUDE_CLAUDE_BIN: claude, CCLAUDE_RETRY_SECONDS: "0" };
  }

  /** Writes a shell script and returns its path. */
  script(name: string, text: string): string {
    const path = join(this.scratch, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.scratch, { recursive: true, force: true });
  }
}

export const settingsWith = (entries: readonly HookEntry[]) => ({
  hooks: Object.fromEntries(entries.map(({ event, matcher, hook }) => [event, [{ matcher, hooks: [hook] }]])),
});

/** Claude's settings with our snapshot hooks. */
export const installedSettings = settingsWith(snapshotHookEntries({ executable, version: undefined }));

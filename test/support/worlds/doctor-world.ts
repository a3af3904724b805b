import { expect } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InstalledWorld } from "./installed-world.ts";

export interface Finding {
  name: string;
  state: "good" | "doubtful" | "broken";
  message: string;
  fix: string | null;
}

/** A home with our programs and a script in place of claude, which prints its version. */
export class DoctorWorld extends InstalledWorld {
  constructor() {
    super();
    this.placeClaude("2.1.326");
    this.env["PATH"] = `${this.bin}:${this.home}/claude-bin:/usr/bin:/bin`;
  }

  placeClaude(version: string): void {
    mkdirSync(join(this.home, "claude-bin"), { recursive: true });
    const path = join(this.home, "claude-bin/claude");
    writeFileSync(path, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
    chmodSync(path, 0o755);
  }

  async examine(): Promise<{ exitCode: number | null; ok: boolean; findings: Finding[] }> {
    const { exitCode, stdout } = await this.run("doctor", "--json");
    return { exitCode, ...JSON.parse(stdout) };
  }

  async findings(name: string): Promise<Finding[]> {
    return (await this.examine()).findings.filter((finding) => finding.name === name);
  }

  /** Runs the command that a finding offers. */
  applyFix({ fix }: Finding): void {
    const child = Bun.spawnSync(["sh", "-c", fix ?? "false"], { env: this.env, cwd: this.directory, stdin: "ignore" });
    expect({ fix, exitCode: child.exitCode }).toEqual({ fix, exitCode: 0 });
  }
}

export const only = (findings: Finding[]): Finding => {
  expect(findings).toHaveLength(1);
  return findings[0] as Finding;
};

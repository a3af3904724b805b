import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetOfSession } from "../../../src/app/session/choose-transcript.ts";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { type RepairResult, repairTranscript } from "../../../src/app/repair/repair.ts";
import { takeSnapshot } from "../../../src/app/snapshot/take-snapshot.ts";
import { undoRestore } from "../../../src/app/snapshot/undo.ts";
import { type VerifyReport, verifyTranscript } from "../../../src/app/repair/verify.ts";

/** A home without Claude and with one session; calls the functions behind the commands directly. */
export class TranscriptWorld implements Disposable {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "transcript-")));
  readonly environment = currentEnvironment({ HOME: this.home });
  readonly sessionId: string;
  readonly path: string;

  constructor(content: Uint8Array | string = "", sessionId = "5f0c1f6e-0000-4000-8000-000000000001") {
    this.sessionId = sessionId;
    this.path = join(this.home, ".claude/projects/-project", `${sessionId}.jsonl`);
    mkdirSync(join(this.path, ".."), { recursive: true });
    this.write(content);
  }

  write(content: Uint8Array | string): void {
    writeFileSync(this.path, content);
  }

  read(): Buffer {
    return readFileSync(this.path);
  }

  snapshot(): void {
    takeSnapshot(this.environment, { sessionId: this.sessionId, transcriptPath: this.path, reason: "Stop" });
  }

  verify(): VerifyReport {
    return verifyTranscript(this.environment, targetOfSession(this.environment, this.sessionId));
  }

  repair(options: { dryRun?: boolean; force?: boolean } = {}): Promise<RepairResult> {
    const target = targetOfSession(this.environment, this.sessionId);
    return repairTranscript(this.environment, { target, force: false, dryRun: false, ...options });
  }

  async undo(): Promise<void> {
    await undoRestore(this.environment, this.sessionId, false);
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

// A task of many steps under `ai-runtime`, headless or hosted, that is killed and recovered.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { readSteps } from "../../../src/store/session-notes/read-steps.ts";
import type { FakeAnthropic } from "../anthropic/fake-anthropic.ts";
import { killableClaude, skipPermissions } from "../runs/cclaude.ts";
import { runAiRuntime, runRecords, startAiRuntime } from "../runs/runs.ts";
import { endLeftovers, leftoverProcesses } from "../sandbox/leftover-processes.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { describeOutput, type SandboxProcess } from "../sandbox/sandbox-process.ts";
import { allSteps } from "./careful-model.ts";

export type Mode = "headless" | "hosted";
export type TranscriptDamage = "none" | "deleted" | "torn" | "nul-filled";

/** What was on disk when the processes were dead. */
export interface Remains {
  /** How often each step was executed. */
  readonly executed: ReadonlyMap<number, number>;
  /** The steps that are known to have completed. */
  readonly known: ReadonlySet<number>;
}

const prompt = "Do the steps 1 to 20";
const hostedFlags = ["--interactive", "--detach", "--permission-mode", "acceptEdits", "--allowedTools=Bash"];

export class KillWorld {
  readonly #sandbox: Sandbox;
  readonly #api: FakeAnthropic;
  readonly #mode: Mode;
  readonly #claude: ReturnType<typeof killableClaude>;
  readonly #env: Record<string, string>;
  #headless: SandboxProcess | undefined;

  constructor(sandbox: Sandbox, api: FakeAnthropic, mode: Mode) {
    this.#sandbox = sandbox;
    this.#api = api;
    this.#mode = mode;
    this.#claude = killableClaude(sandbox);
    this.#env = { CCLAUDE_CLAUDE_BIN: this.#claude.path, CCLAUDE_RETRY_SECONDS: "0.1" };
  }

  async start(): Promise<void> {
    const flags = this.#mode === "headless" ? [skipPermissions] : hostedFlags;
    await this.#launch(["run", prompt, ...flags]);
  }

  async recover(): Promise<void> {
    await this.#launch(this.#mode === "headless" ? ["recover"] : ["recover", "--all"]);
  }

  /** A headless run stays in the foreground; a hosted one continues in the background. */
  async #launch(words: readonly string[]): Promise<void> {
    const options = { env: this.#env };
    if (this.#mode === "headless") {
      this.#headless = startAiRuntime(this.#sandbox, this.#api, words, options);
      return;
    }
    const { exitCode, stderr } = await runAiRuntime(this.#sandbox, this.#api, words, options);
    if (exitCode !== 0) throw new Error(`ai-runtime ${words.join(" ")} exited with ${exitCode}: ${stderr}`);
  }

  /**
   * Waits for a claude: after an earlier kill, the next one may not have started yet. Everything is stopped while the test looks at
   * what is known, so that its supervisor and its hooks do nothing in between.
   */
  async killClaude(): Promise<Remains> {
    await this.until(() => this.#claudePid() > 0, "a running claude");
    const pids = this.#stopAll();
    const remains = this.#remains();
    signal(this.#claudePid(), "SIGKILL");
    for (const pid of pids) signal(pid, "SIGCONT");
    return remains;
  }

  /** 0 while no claude runs. */
  #claudePid(): number {
    try {
      const pid = this.#claude.pid();
      return isAlive(pid) ? pid : 0;
    } catch {
      return 0;
    }
  }

  /** Stops every process first, so that none sees another one die. */
  async killEverything(): Promise<Remains> {
    this.#stopAll();
    await endLeftovers(this.#sandbox.root);
    return this.#remains();
  }

  #stopAll(): readonly number[] {
    const pids = leftoverProcesses(this.#sandbox.root);
    for (const pid of pids) signal(pid, "SIGSTOP");
    return pids;
  }

  async damage(kind: TranscriptDamage): Promise<void> {
    const [path] = await this.#transcripts();
    if (kind === "none" || path === undefined) return;
    if (kind === "deleted") return rmSync(path);
    const bytes = readFileSync(path);
    const tail = Math.min(bytes.length, 3_000);
    writeFileSync(path, kind === "torn" ? bytes.subarray(0, -tail) : Buffer.from(bytes).fill(0, bytes.length - tail));
  }

  #remains(): Remains {
    return { executed: this.executed(), known: this.known() };
  }

  executed(): Map<number, number> {
    const path = join(this.#sandbox.projectDir, "steps.txt");
    const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    return new Map(allSteps.map((step) => [step, lines.filter((line) => Number(line.slice(-2)) === step).length]));
  }

  known(): Set<number> {
    const paths = new SnapshotPaths(join(this.#sandbox.home, ".config/session-snapshot"));
    const completed = runRecords(this.#sandbox)
      .flatMap(({ plan }) => readSteps(paths, plan.sessionId))
      .filter(({ state }) => state === "completed");
    return new Set(completed.map(({ about }) => Number(/step-(\d\d)/.exec(about)?.[1] ?? 0)));
  }

  async hasWritten(text: string): Promise<boolean> {
    const paths = await this.#transcripts();
    return paths.some((path) => readFileSync(path, "utf8").includes(text));
  }

  /** Claude creates the directories with its first transcript; the search fails while they appear. */
  async #transcripts(): Promise<readonly string[]> {
    try {
      return await this.#sandbox.transcripts();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  async until(predicate: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const deadline = performance.now() + 100_000; performance.now() < deadline; await Bun.sleep(3)) {
      if (await predicate()) return;
    }
    const output = this.#headless ? describeOutput(this.#headless) : "";
    throw new Error(`${what} did not come: ${JSON.stringify([...this.executed()])}\n${output}`);
  }
}

/** A process that has ended may stay in the list until its parent looks. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns false when it has ended already. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return pid > 0 && process.kill(pid, name);
  } catch {
    return false;
  }
}

import { parseLiveSession } from "../../claude/live-sessions.ts";
import { liveSessionsDirectory } from "../../claude/paths.ts";
import { shows } from "../../claude/screen/screen-texts.ts";
import type { SignsOfLife } from "../../core/service/watchdog.ts";
import { identifyProcess } from "../../io/process/process.ts";
import { fileSize, readText } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { listConversations } from "../session/list-conversations.ts";

/** Watches one claude for signs of life. Uses a clock that stops while the machine sleeps, because Claude stops too. */
export class ServiceWatch {
  readonly #environment: Environment;
  readonly #workspace: string;
  readonly #pid: number;
  readonly #clock: () => number;
  #lastChange: number;
  #goneSince: number | undefined;
  #size: number | undefined;
  #screen = "";

  constructor(environment: Environment, workspace: string, pid: number, clock = (): number => performance.now()) {
    this.#environment = environment;
    this.#workspace = workspace;
    this.#pid = pid;
    this.#clock = clock;
    this.#lastChange = clock();
  }

  onOutput(bytes: Uint8Array): void {
    this.#lastChange = this.#clock();
    this.#screen = (this.#screen + new TextDecoder().decode(bytes)).slice(-20_000);
  }

  readSigns(): SignsOfLife {
    const live = this.#readLiveSession();
    const path = this.#findTranscript(live?.sessionId);
    const size = path === undefined ? undefined : fileSize(path);
    if (size !== this.#size) this.#lastChange = this.#clock();
    this.#size = size;
    return {
      goneForMs: this.#goneForMs(),
      isWorking:
        live?.status === undefined
          ? path !== undefined && this.#isMidTurn(path)
          : live.status === "busy" || live.status === "waiting",
      isWaiting:
        live?.status === undefined ? this.#showsQuestion() : live.status === "waiting" || this.#waitsForLimit(path),
      silenceMs: this.#clock() - this.#lastChange,
    };
  }

  #goneForMs(): number | null {
    if (identifyProcess(this.#pid) !== undefined) return null;
    this.#goneSince ??= this.#clock();
    return this.#clock() - this.#goneSince;
  }

  #readLiveSession(): ReturnType<typeof parseLiveSession> {
    return parseLiveSession(
      readText(`${liveSessionsDirectory(this.#environment.claudeConfig)}/${this.#pid}.json`) ?? "",
    );
  }

  #findTranscript(sessionId: string | undefined): string | undefined {
    if (sessionId !== undefined) return findTranscript(this.#environment, sessionId);
    return listConversations(this.#environment, this.#workspace)[0]?.path;
  }

  #isMidTurn(path: string): boolean {
    return readTranscriptEnding(this.#environment, path)?.midTurn ?? false;
  }

  #waitsForLimit(path: string | undefined): boolean {
    if (path === undefined) return false;
    return readTranscriptEnding(this.#environment, path)?.finalError?.kind === "limit";
  }

  /** For clients that do not report that they wait for the user. */
  #showsQuestion(): boolean {
    return shows("question", plainText(this.#screen).slice(-3_000));
  }
}

/** Replaces cursor movements by blanks, because terminal programs move the cursor instead of printing blanks. */
function plainText(output: string): string {
  // oxlint-disable-next-line no-control-regex
  return Bun.stripANSI(output.replace(/\x1b\[[\d;]*[A-HJKf]/g, " ")).replace(/\s+/g, " ");
}

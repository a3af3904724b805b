import { parseLiveSession } from "../claude/live-sessions.ts";
import { liveSessionsDirectory } from "../claude/paths.ts";
import { readEnding } from "../claude/transcript-ending.ts";
import { parseResetTime } from "../core/reset-time.ts";
import type { SignsOfLife } from "../core/watchdog.ts";
import { identifyProcess } from "../io/process.ts";
import { fileSize, readText, withFile } from "../io/read-file.ts";
import { linesBackwards } from "../io/read-lines-backwards.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { listConversations } from "./prior-conversation.ts";

/** A menu, or a question that has answers to choose from, for clients that do not say themselves that they wait. */
const question = /[❯>] ?\d\. |\b(Do you want|Would you like|Enter to (confirm|select|continue)|Esc to (cancel|exit))\b/;

/** Watches one claude for signs of life. Its clock stands still while the machine sleeps, as Claude does then. */
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

  /** Called with all that it writes on its screen. */
  sees(bytes: Uint8Array): void {
    this.#lastChange = this.#clock();
    this.#screen = (this.#screen + new TextDecoder().decode(bytes)).slice(-20_000);
  }

  look(): SignsOfLife {
    const live = this.#live();
    const path = this.#transcript(live?.sessionId);
    const size = path === undefined ? undefined : fileSize(path);
    if (size !== this.#size) this.#lastChange = this.#clock();
    this.#size = size;
    return {
      goneFor: this.#goneFor(),
      atWork: live?.status === undefined ? path !== undefined && this.#isMidTurn(path) : live.status !== "idle",
      waits: live?.status === undefined ? this.#asks() : live.status === "waiting" || this.#waitsForLimit(path),
      silence: this.#clock() - this.#lastChange,
    };
  }

  #goneFor(): number | null {
    if (identifyProcess(this.#pid) !== undefined) return null;
    this.#goneSince ??= this.#clock();
    return this.#clock() - this.#goneSince;
  }

  #live(): ReturnType<typeof parseLiveSession> {
    return parseLiveSession(
      readText(`${liveSessionsDirectory(this.#environment.claudeConfig)}/${this.#pid}.json`) ?? "",
    );
  }

  #transcript(sessionId: string | undefined): string | undefined {
    if (sessionId !== undefined) return findTranscript(this.#environment, sessionId);
    return listConversations(this.#environment, this.#workspace)[0]?.path;
  }

  #isMidTurn(path: string): boolean {
    return this.#ending(path)?.midTurn ?? false;
  }

  #waitsForLimit(path: string | undefined): boolean {
    return path !== undefined && this.#ending(path)?.finalError?.kind === "limit";
  }

  #ending(path: string): ReturnType<typeof readEnding> | undefined {
    const clock = { now: this.#environment.now(), zone: "UTC", parseReset: parseResetTime };
    return withFile(path, ({ fd, size }) => readEnding(linesBackwards(fd, size), 0, clock));
  }

  #asks(): boolean {
    return question.test(wordsOn(this.#screen).slice(-3_000));
  }
}

/** Programs on a terminal move the cursor where others print a blank. */
function wordsOn(output: string): string {
  // oxlint-disable-next-line no-control-regex
  return Bun.stripANSI(output.replace(/\x1b\[[\d;]*[A-HJKf]/g, " ")).replace(/\s+/g, " ");
}

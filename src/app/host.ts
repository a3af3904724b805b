import type { ContinuationSettings } from "../core/continuation.ts";
import { encodeFrame, type HostedEnd, largestFrame, type Size } from "../core/frames.ts";
import { commonSize, isSameSize } from "../core/terminal-size.ts";
import { withoutReplies } from "../core/terminal-replies.ts";
import { identifyProcess } from "../io/process.ts";
import { type Pty, startInPty } from "../io/pty.ts";
import { ScreenModel } from "../io/screen-model.ts";
import { type Door, openDoor } from "../io/socket.ts";
import { makeSocketPath } from "../io/socket-path.ts";
import type { HostPlan, HostRecord, HostRecords } from "../store/host-records.ts";
import { Continuation } from "./continue-hosted.ts";
import { type Environment, hostEventsVariable } from "./environment.ts";
import { logProblem } from "./hook-log.ts";
import { HostClient } from "./host-client.ts";
import type { HostRun } from "./host-run.ts";

export interface HostOptions {
  readonly plan: HostPlan;
  readonly records: HostRecords;
  readonly run: HostRun;
  readonly environment: Environment;
  readonly settings: ContinuationSettings;
  /** Where the hooks of what it runs tell what they see. */
  readonly events: string | undefined;
  /** For whoever watches over the program. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

/** Who starts a host in order to look at it is there well within this time. */
const firstClientTime = 5_000;
/** How long a program that was asked to end may take. */
const graceTime = 10_000;

/** Runs a program in a terminal of ours, for as long as it runs, and lets terminals of the user attach to it. */
export class Host {
  readonly #given: HostOptions;
  readonly #model: ScreenModel;
  readonly #clients = new Set<HostClient>();
  /** The one whose terminal answers for all: who typed last. */
  #leader: HostClient | undefined;
  #pty: Pty | undefined;
  readonly #doors: Door[] = [];
  /** Somebody has seen its screen. */
  readonly #seen = Promise.withResolvers<void>();
  readonly #continuation: Continuation;
  #record: HostRecord;
  /** To end the program: as for runs, SIGINT is a person's word, and SIGTERM the machine's. */
  #asked: "interrupted" | "shutdown" | undefined;

  constructor(given: HostOptions) {
    this.#given = given;
    this.#record = { version: 1, plan: given.plan, running: null, session: null, end: null };
    this.#model = new ScreenModel(given.plan.size, (text) => this.#reply(text));
    this.#continuation = new Continuation({
      ...given,
      sessionId: given.plan.sessionId,
      model: this.#model,
      write: (text) => this.#pty?.write(text),
      onSession: (session) => this.#write({ session }),
    });
  }

  /** `onReady` is called when clients can attach and the program runs. */
  async run(onReady: (program: Pty) => void): Promise<HostedEnd> {
    const { plan, run } = this.#given;
    const socket = await this.#open();
    // What goes wrong here must not take the program along.
    const survive = (error: unknown): void => this.#log(error);
    process.on("uncaughtException", survive);
    process.on("unhandledRejection", survive);
    try {
      if (plan.greeting !== null) this.#model.feed(new TextEncoder().encode(`${plan.greeting}\r\n`));
      const pty = this.#start();
      this.#pty = pty;
      const host = identifyProcess(process.pid);
      if (!host) throw new Error("this process cannot be told from others");
      const program = identifyProcess(pty.pid) ?? null;
      this.#write({ running: { host, program, socket } });
      run.started(host, program);
      const stopListening = this.#listen(pty, (reopened) =>
        this.#write({ running: { host, program, socket: reopened } }),
      );
      onReady(pty);
      const end = await pty.ended;
      stopListening();
      this.#continuation.end();
      this.#settle(end);
      // Who started it may be still on the way, to read why it ended so soon.
      if (plan.greeting !== null) await Promise.race([this.#seen.promise, Bun.sleep(firstClientTime)]);
      await Promise.all([...this.#clients].map((client) => client.end(end)));
      return end;
    } finally {
      process.off("uncaughtException", survive);
      process.off("unhandledRejection", survive);
      for (const door of this.#doors) door.close();
    }
  }

  /** A full disk must not keep from the clients how it ended. */
  #settle(end: HostedEnd): void {
    try {
      this.#write({ end: { ...end, time: this.#given.environment.now() } });
      this.#given.run.ended(end, this.#asked);
    } catch (error) {
      this.#log(error);
    }
  }

  #log(error: unknown): void {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logProblem(this.#given.environment, `host ${this.#given.plan.id}: ${what}`);
  }

  #start(): Pty {
    const { plan, events } = this.#given;
    const { variables } = this.#given.environment;
    return startInPty({
      command: plan.command,
      name: plan.name,
      variables: { ...hostedEnvironment(variables, plan.id), [hostEventsVariable]: events },
      directory: plan.directory,
      size: this.#model.size,
      onOutput: (bytes) => this.#output(bytes),
    });
  }

  #write(change: Partial<HostRecord>): void {
    this.#record = { ...this.#record, ...change };
    this.#given.records.write(this.#record);
  }

  async #open(): Promise<string> {
    const path = makeSocketPath(this.#given.plan.id, this.#given.environment.variables);
    const door = await openDoor(path, (connection) => {
      const client: HostClient = new HostClient(connection, this.#model, {
        onSize: (who) => this.#resize(who),
        onInput: (who, bytes) => this.#input(who, bytes),
        onGone: (who) => this.#leave(who),
      });
      this.#clients.add(client);
      return client;
    });
    // One that was replaced goes on for those who came in by it.
    this.#doors.push(door);
    return path;
  }

  #output(bytes: Uint8Array): void {
    this.#given.onOutput?.(bytes);
    // To the clients first: nobody waits for the model.
    for (let at = 0; at < bytes.length; at += largestFrame) {
      if (this.#clients.size === 0) break;
      const frame = encodeFrame({ kind: "output", bytes: bytes.subarray(at, at + largestFrame) });
      for (const client of this.#clients) client.output(frame);
    }
    this.#model.feed(bytes);
    for (const client of this.#clients) client.followed();
    this.#continuation.onOutput();
  }

  #input(client: HostClient, bytes: Uint8Array): void {
    const typed = this.#answers(client) ? bytes : withoutReplies(bytes);
    if (typed.length === 0) return;
    this.#continuation.onInput(typed);
    this.#pty?.write(typed);
    if (isSuspension(typed)) this.#pty?.wake();
  }

  /** Of several terminals that see the program's questions, one answers. */
  #answers(client: HostClient): boolean {
    if (!client.isDirect) return false;
    if (!this.#leader?.isDirect || !this.#clients.has(this.#leader)) this.#leader = client;
    return this.#leader === client;
  }

  /** Nobody's terminal sees the question: so the model answers it. */
  #reply(text: string): void {
    if (![...this.#clients].some((client) => client.isDirect)) this.#pty?.write(text);
  }

  #resize(client: HostClient): void {
    if (!this.#fit()) client.repaint();
    this.#seen.resolve();
  }

  #leave(client: HostClient): void {
    this.#clients.delete(client);
    this.#fit();
  }

  /** The smallest of the attached ones decides; with nobody attached it stays as it is. */
  #fit(): boolean {
    const size: Size = commonSize([...this.#clients].flatMap((client) => client.size ?? [])) ?? this.#model.size;
    if (isSameSize(size, this.#model.size)) return false;
    this.#model.resize(size);
    this.#pty?.resize(size);
    for (const client of this.#clients) client.repaint();
    return true;
  }

  /** The user's ways to reach a host without a terminal. */
  #listen(pty: Pty, onReopened: (socket: string) => void): () => void {
    let grace: Timer | undefined;
    const stop = (signal: NodeJS.Signals): void => {
      this.#asked = signal === "SIGINT" ? "interrupted" : "shutdown";
      pty.signal("SIGTERM");
      grace ??= setTimeout(() => pty.killAll(), graceTime);
    };
    const ignore = (): void => {};
    // As with tmux: the directory may have been cleaned, as at a logout, and the socket with it.
    // The old one may still be there and answer, or nothing can be made there: asked again, it tries again.
    const reopen = (): void => void this.#open().then(onReopened, () => undefined);
    const listeners = { SIGTERM: stop, SIGINT: stop, SIGHUP: ignore, SIGUSR1: reopen };
    for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
    return () => {
      clearTimeout(grace);
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
    };
  }
}

/** Ctrl-Z, as a byte or in the words that a program may have asked for. */
const isSuspension = (bytes: Uint8Array): boolean =>
  bytes.includes(0x1a) ||
  (bytes[0] === 0x1b && new TextDecoder().decode(bytes.subarray(0, 16)).startsWith("\x1b[122;5"));

/** The terminal is ours: nothing of the one that the host was started from holds in it. */
function hostedEnvironment(
  variables: Record<string, string | undefined>,
  id: string,
): Record<string, string | undefined> {
  const {
    TMUX: _,
    TMUX_PANE: _pane,
    STY: _screen,
    COLUMNS: _columns,
    LINES: _lines,
    TERM_PROGRAM: program,
    TERM_PROGRAM_VERSION: version,
    ...rest
  } = variables;
  const terminal =
    program === undefined || program === "tmux" ? {} : { TERM_PROGRAM: program, TERM_PROGRAM_VERSION: version };
  return { ...rest, ...terminal, TERM: "xterm-256color", AI_RUNTIME_HOST: id };
}

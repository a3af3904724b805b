import { type Departure, type HostedEnd, type PassedSignal, protocolVersion } from "../../core/host/frames.ts";
import { Failure } from "../../core/failure.ts";
import { messageOf } from "../../core/message-of.ts";
import { isSameSize } from "../../core/host/terminal-size.ts";
import { wasKilled } from "../../core/host/was-killed.ts";
import { withoutReplies } from "../../core/host/terminal-replies.ts";
import { identifyProcess } from "../../io/process/process.ts";
import type { Pty } from "../../io/terminal/pty.ts";
import { ScreenModel } from "../../io/terminal/screen-model.ts";
import { type SocketServer, openSocketServer } from "../../io/socket/socket.ts";
import { listSocketDirectories, makeSocketPath } from "../../io/socket/socket-path.ts";
import { type HostRecord, sessionOf } from "../../store/hosts/host-records.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import { HostedContinuation } from "../hosted-claude/continue-hosted.ts";
import { logProblem } from "../program-log.ts";
import { catchErrors, listenToSignals, type StopCause } from "./host-signals.ts";
import { HostClient } from "./host-client.ts";
import { HostClients } from "./host-clients.ts";
import { hostedEnvironment, HostedProgram } from "./hosted-program.ts";
import { isSuspension, Suspension } from "./suspension.ts";
import { HostedLife } from "../hosted-claude/hosted-life.ts";
import type { HostOptions, HostProgress } from "./host-options.ts";

/** The client that started the host attaches within this time, also on a busy machine. */
const firstClientTimeoutMs = 20_000;

/** Runs a program in a PTY until it ends, and lets the user's terminals attach to it. */
export class Host {
  readonly #given: HostOptions;
  readonly #model: ScreenModel;
  readonly #clients = new HostClients();
  #program: HostedProgram | undefined;
  readonly #servers: SocketServer[] = [];
  /** Settles when the program may work: with its first client, or at once. */
  readonly #started = Promise.withResolvers<void>();
  #hasStarted = false;
  #onFirstClient: (() => void) | undefined;
  readonly #suspension = new Suspension(this.#clients.all, () => this.#pty);
  readonly #continuation: HostedContinuation;
  readonly #life: HostedLife;
  #record: HostRecord;
  /** Set when a signal ended the host. */
  #stopCause: StopCause | undefined;

  constructor(given: HostOptions) {
    this.#given = given;
    this.#program = given.program;
    this.#record = { version: 1, plan: given.plan, running: null, session: null, end: null };
    this.#model = new ScreenModel(given.plan.size, (text) => this.#reply(text));
    this.#life = new HostedLife({
      ...given,
      model: this.#model,
      pty: () => this.#pty,
      session: () => sessionOf(this.#record),
      // A failed write is only logged: the record of a later change has it too.
      onStatus: (status) => this.#orLog(() => this.#write({ status })),
      onLine: (line) => this.#clients.showLine(line),
      onNotice: (bytes) => this.#clients.notify(bytes),
    });
    this.#continuation = new HostedContinuation({
      ...given,
      run: this.#life.limitReports,
      sessionId: given.plan.sessionId,
      model: this.#model,
      write: (text) => this.#pty?.write(text),
      onSession: (session) => this.#write({ session }),
    });
  }

  /** `onListening` is called when clients can attach, `onReady` when the program runs. */
  async run({ onListening, onFirstClient, onReady }: HostProgress): Promise<HostedEnd> {
    this.#onFirstClient = onFirstClient;
    const socket = await this.#open();
    const stopCatching = catchErrors((error) => this.#log(error));
    try {
      const host = identifyProcess(process.pid);
      if (!host) throw new Error("cannot identify the host's own process");
      const { pty } = this.#start();
      onListening?.(socket);
      await this.#untilStarted(pty);
      const program = identifyProcess(pty.pid) ?? null;
      const known = { host, program, protocol: protocolVersion };
      const record = (at: string): void => this.#write({ running: { ...known, socket: at } });
      record(socket);
      this.#given.run.started(host, program);
      const stopListening = listenToSignals(pty, {
        onStop: (cause) => void (this.#stopCause = cause),
        // A failure is ignored: the old socket may still work, and the next signal tries again.
        onReopen: () => void this.#open().then(record, () => undefined),
      });
      onReady?.(pty);
      const end = await pty.ended;
      stopListening();
      this.#continuation.end();
      this.#life.end();
      this.#life.tellEnd(end, this.#stopCause !== undefined);
      await this.#finish(end);
      return end;
    } finally {
      stopCatching();
      for (const server of this.#servers) server.close();
    }
  }

  get #pty(): Pty | undefined {
    return this.#program?.pty;
  }

  /** The client that started the host is gone. Without effect once it has attached. */
  abandon(why = "is gone"): void {
    this.#started.reject(new Failure("failed", `the client that started the host ${why}`));
  }

  /** Fails when the client that started the host does not attach: the program has done nothing yet. */
  async #untilStarted(pty: Pty): Promise<void> {
    if (!this.#given.plan.startsAttached) return;
    const timer = setTimeout(() => this.abandon("did not attach in time"), firstClientTimeoutMs);
    try {
      await this.#started.promise;
    } catch (error) {
      pty.killAll();
      this.#continuation.end();
      this.#life.end();
      this.#forget();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The user has seen the end, so nothing is left to attach to or to recover. */
  #forget(): void {
    this.#orLog(() => {
      this.#given.run.forget();
      this.#given.records.remove(this.#given.plan.id);
    });
  }

  /** Clients learn of the end last: what they start next must not find this host. */
  async #finish(end: HostedEnd): Promise<void> {
    const isOver = this.#given.plan.isTransient === true && this.#stopCause === undefined && !wasKilled(end);
    if (isOver && this.#clients.terminals > 0) this.#forget();
    else this.#recordEnd(end);
    await Promise.all([...this.#clients.all].map((client) => client.end(end)));
  }

  /** Only logs a write error, so the clients learn of the end even when the disk is full. */
  #recordEnd(end: HostedEnd): void {
    this.#orLog(() => {
      this.#write({ end: { ...end, time: this.#given.environment.now() } });
      this.#given.run.ended(end, this.#stopCause ?? (this.#life.isEnding ? "hang-up" : undefined));
    });
  }

  #log(error: unknown): void {
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logProblem(this.#given.environment, `host ${this.#given.plan.id}: ${details}`);
  }

  #start(): HostedProgram {
    const { plan, events, environment } = this.#given;
    this.#program ??= new HostedProgram(plan, hostedEnvironment(environment.variables, plan, events));
    this.#program.follow({
      onOutput: (bytes) => this.#output(bytes),
      onStopped: () => this.#suspension.onStopped(),
    });
    return this.#program;
  }

  /** The program waits for the first client, so that its terminal misses no byte and needs no repaint. */
  #greet(client: HostClient): string | undefined {
    this.#suspension.end();
    if (this.#given.plan.startsAttached && !this.#hasStarted) {
      client.startHere();
      this.#fit();
      try {
        this.#onFirstClient?.();
      } catch (error) {
        this.#started.reject(error);
        return messageOf(error);
      }
      this.#hasStarted = true;
      this.#started.resolve();
    }
    this.#life.onAttached(this.#clients.terminals);
    return undefined;
  }

  #write(change: Partial<HostRecord>): void {
    this.#record = { ...this.#record, ...change };
    this.#given.records.write(this.#record);
  }

  #orLog(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log(error);
    }
  }

  async #open(): Promise<string> {
    const { variables, home } = this.#given.environment;
    const path = makeSocketPath(this.#given.plan.id, listSocketDirectories(variables, runRoot(variables, home)));
    const server = await openSocketServer(path, (connection) => {
      const client: HostClient = new HostClient(connection, this.#model, {
        onHello: (from) => this.#greet(from),
        onSize: (from) => this.#resize(from),
        onInput: (from, bytes) => this.#input(from, bytes),
        onSignal: (signal) => this.#signal(signal),
        onContinue: () => this.#suspension.onContinue(),
        onCommand: (from, name) => this.#life.onCommand(name, from),
        onGone: (from, how) => this.#removeClient(from, how),
      });
      this.#clients.all.add(client);
      return client;
    });
    // A replaced server stays open for the clients connected through it.
    this.#servers.push(server);
    return path;
  }

  #output(bytes: Uint8Array): void {
    this.#given.service?.onOutput(bytes);
    // Clients first, so the model does not delay them.
    this.#clients.output(bytes);
    this.#model.feed(bytes);
    this.#clients.onModelUpdated(this.#model.unfinished.length === 0);
    this.#suspension.onOutput();
    this.#continuation.onOutput();
    this.#life.onOutput();
  }

  #input(client: HostClient, bytes: Uint8Array): void {
    const typed = this.#clients.answersQueries(client) ? bytes : withoutReplies(bytes);
    if (typed.length === 0) return;
    // The program first, so that nothing delays its echo.
    this.#pty?.write(typed);
    this.#continuation.onInput(typed);
    // cclaude really stops at Ctrl-Z; claude alone asks the system for it, which refuses where no shell could continue it.
    if (this.#given.plan.name !== "cclaude" && isSuspension(typed)) this.#pty?.wake();
  }

  /** A client received this signal and means the program, as without a host. */
  #signal(signal: PassedSignal): void {
    this.#suspension.end();
    this.#pty?.signal(signal);
  }

  /** The model answers a query only when no attached terminal sees it. */
  #reply(text: string): void {
    if (!this.#clients.hasDirect) this.#pty?.write(text);
  }

  #resize(client: HostClient): void {
    if (this.#fit()) return;
    // The terminal may have changed what it shows before it got its old size back.
    if (client.isUntouched) this.#pty?.signalResize();
    client.refresh();
  }

  /** `how`: a terminal that is gone is not the same as a user who detached. */
  #removeClient(client: HostClient, how: Departure): void {
    this.#clients.all.delete(client);
    this.#suspension.end();
    this.#life.onLeft(this.#clients.terminals, how === "hangup" && client.size !== undefined);
    this.#fit();
  }

  /** The smallest attached terminal sets the size; without a client the size stays. Returns whether it changed. */
  #fit(): boolean {
    const size = this.#clients.commonSize ?? this.#model.size;
    if (isSameSize(size, this.#model.size)) return false;
    this.#model.resize(size);
    this.#pty?.resize(size);
    for (const client of this.#clients.all) client.refresh();
    return true;
  }
}

import { checkpointsDirectory } from "../../claude/paths.ts";
import { fileSize, isDirectory, parentOf } from "../../io/files/read-file.ts";
import { watchDirectories } from "../../io/files/watch-directories.ts";
import { hostsDirectory } from "../../store/hosts/host-records.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { locateTranscript } from "../session/locate-transcript.ts";
import type { Now } from "../../core/dashboard/contract.ts";
import { answer } from "./answers.ts";

/** A watched directory may not exist yet, and the system may drop a change: everything is looked at again this often. */
const lookIntervalMs = 5_000;
const maxClients = 50;

interface Client {
  readonly send: (text: string) => void;
  readonly end: () => void;
  /** The transcript that its page shows; undefined when it shows none. */
  readonly transcript: string | undefined;
  seenSize: number;
}

/**
 * Sends the present state to every open page, at once and after each change. Without an open page nothing is watched, read or
 * timed; a page in a background tab closes its connection.
 */
export class LiveEvents {
  readonly #environment: Environment;
  readonly #look: () => Promise<Now>;
  readonly #clients = new Set<Client>();
  #watched = "";
  #unwatch = (): void => undefined;
  #timer: Timer | undefined;
  #last = "";
  #isLooking = false;
  #lookAgain = false;

  constructor(environment: Environment, look: () => Promise<Now>) {
    this.#environment = environment;
    this.#look = look;
  }

  /** A stream of events for one page. `sessionId`: the conversation that it shows. */
  open(request: Request, sessionId: string | undefined): Response {
    if (this.#clients.size >= maxClients) return answer("too many open pages", { status: 503 });
    const encoder = new TextEncoder();
    let leave = (): void => undefined;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const client: Client = {
          send: (text) => {
            try {
              controller.enqueue(encoder.encode(text));
            } catch {
              leave();
            }
          },
          end: () => controller.close(),
          transcript: sessionId === undefined ? undefined : this.#transcriptOf(sessionId),
          seenSize: -1,
        };
        leave = () => this.#leave(client);
        this.#enter(client);
      },
      cancel: () => leave(),
    });
    request.signal.addEventListener("abort", () => leave());
    return answer(stream, { type: "text/event-stream" });
  }

  /** Ends all streams; the pages connect again when a server is there. */
  close(): void {
    for (const client of this.#clients) {
      this.#leave(client);
      client.end();
    }
  }

  #enter(client: Client): void {
    this.#clients.add(client);
    // The browser tries again after this many milliseconds.
    client.send("retry: 1000\n\n");
    if (this.#last !== "") client.send(this.#last);
    this.#timer ??= setInterval(() => this.#tick(), lookIntervalMs);
    this.#watch();
    void this.#update();
  }

  #leave(client: Client): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unwatch();
    this.#unwatch = () => undefined;
    this.#watched = "";
    this.#last = "";
  }

  #tick(): void {
    // Keeps the connection open, and finds out whether the page is still there.
    for (const client of this.#clients) client.send(":\n\n");
    this.#watch();
    void this.#update();
  }

  #watch(): void {
    const paths = runPathsOf(this.#environment);
    const transcripts = [...this.#clients].flatMap(({ transcript }) => (transcript ? [parentOf(transcript)] : []));
    const wanted = [
      paths.active,
      paths.ended,
      hostsDirectory(paths.root),
      paths.services,
      checkpointsDirectory(this.#environment.claudeConfig),
      ...transcripts,
    ];
    const present = [...new Set(wanted)].filter((path) => isDirectory(path));
    if (present.join("\n") === this.#watched) return;
    this.#unwatch();
    this.#watched = present.join("\n");
    this.#unwatch = watchDirectories(present, () => void this.#update());
  }

  async #update(): Promise<void> {
    this.#lookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#lookAgain && this.#clients.size > 0) {
        this.#lookAgain = false;
        for (const client of this.#clients) this.#tellTranscript(client);
        const now = await this.#look();
        const text = eventText("now", now);
        if (withoutTime(text) === withoutTime(this.#last)) continue;
        this.#last = text;
        for (const client of this.#clients) client.send(text);
      }
    } catch {
      // A record that is being replaced; the next look reads it.
    } finally {
      this.#isLooking = false;
    }
  }

  #tellTranscript(client: Client): void {
    if (client.transcript === undefined) return;
    const size = fileSize(client.transcript) ?? 0;
    if (client.seenSize === size) return;
    client.seenSize = size;
    client.send(eventText("transcript", { size }));
  }

  #transcriptOf(sessionId: string): string | undefined {
    const recorded = viewSession(this.#environment.paths, sessionId)?.transcriptPath;
    return locateTranscript(this.#environment, sessionId, recorded);
  }
}

const eventText = (name: string, value: unknown): string => `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;

/** The clock alone is no change. */
const withoutTime = (text: string): string => text.replace(/"time":\d+,/, "");

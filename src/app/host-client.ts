import {
  BrokenFrame,
  encodeFrame,
  type Frame,
  FrameReader,
  type HostedEnd,
  largestFrame,
  largestInput,
  protocolVersion,
  type Size,
} from "../core/frames.ts";
import { isSameSize, soundSize } from "../core/terminal-size.ts";
import type { ScreenModel, Shown } from "../io/screen-model.ts";
import type { Connection, Listener } from "../io/socket.ts";
import { Outbox } from "./outbox.ts";

export interface HostClientEvents {
  onSize(client: HostClient): void;
  onInput(client: HostClient, bytes: Uint8Array): void;
  onGone(client: HostClient): void;
}

/** Fast enough to look alive, and slow enough to cost nothing. */
const betweenPaints = 33;
const noticeTime = 2_500;

/**
 * One attached terminal, as the host sees it. When it has the size of the program's own, it gets the program's bytes as they
 * come. Otherwise, and while it shows a notice, it gets the rows that have changed, painted from the model.
 */
export class HostClient implements Listener {
  size: Size | undefined;
  readonly #model: ScreenModel;
  readonly #events: HostClientEvents;
  readonly #reader = new FrameReader(largestInput);
  readonly #outbox: Outbox;
  #notice: string | undefined;
  #noticeTimer: Timer | undefined;
  #shown: Shown | undefined;
  #painted: { rows: string[]; rest: string; alternate: boolean } | undefined;
  #paintTimer: Timer | undefined;
  /** The last output is on its way. */
  #inStep = false;
  #isGone = false;

  constructor(connection: Connection, model: ScreenModel, events: HostClientEvents) {
    this.#model = model;
    this.#events = events;
    this.#outbox = new Outbox(connection, () => this.repaint());
  }

  /** It shows the program's own bytes, and so its terminal answers the program's questions. */
  get isDirect(): boolean {
    return this.size !== undefined && this.#notice === undefined && isSameSize(this.size, this.#model.size);
  }

  onData(bytes: Uint8Array): void {
    if (this.#isGone) return;
    try {
      for (const frame of this.#reader.push(bytes)) this.#receive(frame);
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error;
      this.#refuse(error.message);
    }
  }

  onDrain(): void {
    this.#outbox.drain();
  }

  onClose(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#noticeTimer);
    clearTimeout(this.#paintTimer);
    this.#outbox.abandon();
    this.#events.onGone(this);
  }

  /** The program has written something; `frame` holds it, made once for all clients. */
  output(frame: Uint8Array): void {
    if (this.size === undefined) return;
    this.#inStep = this.isDirect && this.#outbox.offer(frame);
    if (!this.isDirect) this.#paintTimer ??= setTimeout(() => this.#paintChanges(), betweenPaints);
  }

  /** The program's bytes that were on the way are in the model by now; after this its terminal shows the same. */
  followed(): void {
    if (this.#inStep) this.#shown = this.#model.shown;
  }

  /** Everything anew: it is another size, or has missed something. */
  repaint(): void {
    // Who does not read what is on its way gets a new screen afterwards, and none is made before.
    if (this.size === undefined || this.#isGone || this.#outbox.isBehind) return;
    clearTimeout(this.#paintTimer);
    this.#paintTimer = undefined;
    const isFirst = this.#shown === undefined;
    const { text, shown } = this.#model.paint(this.#shown, this.size.rows, {
      history: isFirst && isSameSize(this.size, this.#model.size),
    });
    const { unfinished } = this.#model;
    const rest = this.isDirect && unfinished.length > 0 ? [encodeFrame({ kind: "output", bytes: unfinished })] : [];
    if (!this.#outbox.offer(...outputFrames(text), ...rest)) return;
    this.#shown = shown;
    this.#painted = undefined;
    if (!this.isDirect) this.#paintChanges();
  }

  /** Resolves when it was told, or is gone. */
  async end(end: HostedEnd): Promise<void> {
    if (this.size !== undefined) {
      // Whoever has followed all along has it on the screen already; under a notice that is not so.
      const hasAll = this.isDirect && !this.#outbox.isBehind;
      this.#endNotice();
      const { text, shown } = this.#model.paint(this.#shown, this.size.rows, { history: false });
      for (const frame of outputFrames((hasAll ? "" : text) + this.#model.leave(shown))) this.#outbox.put(frame);
    }
    this.#outbox.put(encodeFrame({ kind: "end", end }));
    await this.#outbox.finish();
  }

  #receive(frame: Frame): void {
    const isGreeted = this.size !== undefined;
    // Once, and first: what answers a greeting is kept until it is read, however often one came.
    if ((frame.kind === "hello") === isGreeted) {
      return this.#refuse(isGreeted ? "a second hello" : `${frame.kind} before a hello`);
    }
    switch (frame.kind) {
      case "hello":
        if (frame.version !== protocolVersion) return this.#refuse(`this host speaks version ${protocolVersion}`);
        this.#outbox.put(encodeFrame({ kind: "welcome", version: protocolVersion }));
        this.#showNotice(frame.notice);
        return this.#resize(frame.size);
      case "resize":
        return this.#resize(frame.size);
      case "redraw":
        return this.repaint();
      case "input":
        if (this.#notice !== undefined) {
          this.#endNotice();
          this.repaint();
        }
        return this.#events.onInput(this, frame.bytes);
      default:
        return this.#refuse(`a client does not say ${frame.kind}`);
    }
  }

  #resize(size: Size): void {
    this.size = soundSize(size);
    this.#events.onSize(this);
  }

  #showNotice(notice: string | null): void {
    if (notice === null) return;
    this.#notice = notice;
    this.#noticeTimer = setTimeout(() => {
      this.#endNotice();
      this.repaint();
    }, noticeTime);
  }

  #refuse(reason: string): void {
    this.#outbox.put(encodeFrame({ kind: "refusal", reason }));
    this.#outbox.close();
    this.onClose();
  }

  #endNotice(): void {
    clearTimeout(this.#noticeTimer);
    this.#notice = undefined;
  }

  #paintChanges(): void {
    clearTimeout(this.#paintTimer);
    this.#paintTimer = undefined;
    if (this.isDirect || this.size === undefined || this.#isGone) return;
    const view = this.#model.view();
    if (view.alternate !== this.#shown?.alternate) return this.repaint();
    const { columns } = this.#model.size;
    // The last row of the terminal is the notice's for as long as there is one.
    const noticeRow = this.#notice === undefined ? undefined : Math.min(this.size.rows, view.rows.length) - 1;
    if (noticeRow !== undefined) view.rows[noticeRow] = `\x1b[7m ${(this.#notice ?? "").slice(0, columns - 2)} \x1b[0m`;
    const before = this.#painted;
    const rows = view.rows.flatMap((row, y) => (row === before?.rows[y] ? [] : [`\x1b[${y + 1};1H${row}\x1b[K`]));
    if (rows.length === 0 && view.rest === before?.rest) return;
    const text = `\x1b[?25l\x1b[0m\x1b(B\x0f\x1b[r\x1b[?6l${rows.join("")}${view.rest}`;
    if (this.#outbox.offer(...outputFrames(text))) this.#painted = view;
  }
}

function outputFrames(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const count = Math.ceil(bytes.length / largestFrame);
  return Array.from({ length: count }, (_, at) =>
    encodeFrame({ kind: "output", bytes: bytes.subarray(at * largestFrame, (at + 1) * largestFrame) }),
  );
}

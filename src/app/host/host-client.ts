import {
  BrokenFrame,
  type Departure,
  encodeFrame,
  type Frame,
  FrameReader,
  type Hello,
  type HostCommand,
  type HostedEnd,
  maxFrameBytes,
  maxInputBytes,
  oldestProtocolVersion,
  type PassedSignal,
  protocolVersion,
  type Size,
} from "../../core/host/frames.ts";
import type { HostLine } from "../../core/host/host-line.ts";
import { isSameSize, limitSize } from "../../core/host/terminal-size.ts";
import type { ScreenModel, Shown } from "../../io/terminal/screen-model.ts";
import type { Connection, Listener } from "../../io/socket/socket.ts";
import { Outbox } from "./outbox.ts";

export interface HostClientEvents {
  /** Returns why the client cannot attach. Its size is known, but it has not been painted yet. */
  onHello(client: HostClient): string | undefined;
  onSize(client: HostClient): void;
  onInput(client: HostClient, bytes: Uint8Array): void;
  onSignal(signal: PassedSignal): void;
  onContinue(): void;
  onCommand(client: HostClient, name: HostCommand): void;
  onGone(client: HostClient, how: Departure): void;
}

/** About 30 repaints per second look smooth and cost little. */
const repaintIntervalMs = 33;
const noticeMs = 2_500;

/**
 * One attached terminal, as the host sees it. A terminal of the program's size gets the program's bytes unchanged. A terminal
 * of another size, or one that shows a notice, gets the changed rows painted from the model. The terminal in which the program
 * started gets nothing but the program's bytes as long as its size is the program's: it is untouched.
 */
export class HostClient implements Listener {
  size: Size | undefined;
  /** As this client's user knows it; null when the client sends no commands. */
  #detachKey: string | null = null;
  readonly #model: ScreenModel;
  readonly #events: HostClientEvents;
  readonly #reader = new FrameReader(maxInputBytes);
  readonly #outbox: Outbox;
  #notice: string | undefined;
  #noticeTimer: Timer | undefined;
  /** Shown on the last row until the host removes it. */
  #line: HostLine | undefined;
  #shown: Shown | undefined;
  #painted: { rows: string[]; rest: string; alternate: boolean } | undefined;
  #paintTimer: Timer | undefined;
  /** The last output was sent unchanged. */
  #isInSync = false;
  #isGone = false;
  /** The terminal received every byte of the program and none of ours. */
  #hasOnlyItsBytes = false;
  /** We saved the terminal's title before we painted. */
  #hasSavedTitle = false;
  #version = protocolVersion;
  #departure: Departure = "hangup";

  constructor(connection: Connection, model: ScreenModel, events: HostClientEvents) {
    this.#model = model;
    this.#events = events;
    this.#outbox = new Outbox(connection, () => this.repaint());
  }

  /** The program starts in this client's terminal, which will receive its first byte. */
  startHere(): void {
    this.#hasOnlyItsBytes = true;
    this.#shown = this.#model.shown;
    this.#outbox.dropsLate();
  }

  get isUntouched(): boolean {
    return this.#hasOnlyItsBytes && this.isDirect && !this.#outbox.isBehind;
  }

  /** The terminal gets the program's own bytes, and therefore answers the program's queries. */
  get isDirect(): boolean {
    const isCovered = this.#notice !== undefined || this.#line !== undefined;
    return this.size !== undefined && !isCovered && isSameSize(this.size, this.#model.size);
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
    this.#events.onGone(this, this.#departure);
  }

  /** Sends output of the program; `frame` is encoded once for all clients. */
  output(frame: Uint8Array): void {
    if (this.size === undefined) return;
    const { isDirect } = this;
    this.#isInSync = isDirect && this.#outbox.offer(frame);
    if (!isDirect) this.#paintTimer ??= setTimeout(() => this.#paintChanges(), repaintIntervalMs);
  }

  /** Sends bytes that leave the screen as it is; a client that is behind does not get them. */
  notice(frame: Uint8Array): void {
    if (this.size !== undefined && !this.#outbox.isBehind) this.#outbox.offer(frame);
  }

  /** Called after the model has processed the same output: model and terminal now show the same. */
  onModelUpdated(): void {
    if (this.#isInSync) this.#shown = this.#model.shown;
  }

  /** Called when a size has changed. In an untouched terminal the program repaints by itself, as it does without a host. */
  refresh(): void {
    if (!this.isUntouched) this.repaint();
  }

  /** Covers the last row with this line; undefined uncovers it. */
  showLine(line: HostLine | undefined): void {
    const before = this.#textOf(this.#line);
    this.#line = line;
    if (this.#textOf(line) !== before) this.repaint();
  }

  /** Shows a text on the last row for a moment. */
  showNotice(notice: HostLine): void {
    this.#endNotice();
    this.#startNotice(this.#textOf(notice) ?? "");
    this.repaint();
  }

  /** As wide as the program's screen, with a space at each side. */
  #textOf(line: HostLine | undefined): string | undefined {
    return line?.(this.#detachKey, this.#model.size.columns - 2);
  }

  /** Asks the client to stop as its program did. Returns false when it cannot. */
  suspend(): boolean {
    if (this.#version < 2) return false;
    this.#outbox.put(encodeFrame({ kind: "stopped" }));
    return true;
  }

  /** Sends the whole screen: the size changed, or the client missed output. */
  repaint(): void {
    // A client that is behind gets the whole screen once it has read what is queued.
    if (this.size === undefined || this.#isGone || this.#outbox.isBehind) return;
    clearTimeout(this.#paintTimer);
    this.#paintTimer = undefined;
    const isFirst = this.#shown === undefined;
    this.#hasOnlyItsBytes = false;
    this.#hasSavedTitle ||= isFirst;
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

  /** Resolves when the client has received the end, or is gone. */
  async end(end: HostedEnd): Promise<void> {
    for (const frame of outputFrames(this.#lastText(end))) this.#outbox.put(frame);
    this.#outbox.put(encodeFrame({ kind: "end", end }));
    await this.#outbox.finish();
  }

  #lastText({ signal }: HostedEnd): string {
    if (this.size === undefined) return "";
    // As without a host, nothing follows the program's last byte; but a killed program could not clean up.
    if (this.isUntouched) return signal === null ? "" : this.#model.release(this.#model.shown);
    // A direct client already shows the last screen; one under a notice does not.
    const isUpToDate = this.isDirect && !this.#outbox.isBehind;
    this.#endNotice();
    this.#line = undefined;
    const { text, shown } = this.#model.paint(this.#shown, this.size.rows, { history: false });
    return (isUpToDate ? "" : text) + this.#model.leave(shown, { restoreTitle: this.#hasSavedTitle });
  }

  #receive(frame: Frame): void {
    const isGreeted = this.size !== undefined;
    // Exactly one hello, as the first frame: answers to repeated hellos would fill the queue without limit.
    if ((frame.kind === "hello") === isGreeted) {
      return this.#refuse(isGreeted ? "hello was sent twice" : `${frame.kind} was sent before hello`);
    }
    switch (frame.kind) {
      case "hello":
        return this.#greet(frame);
      case "resize":
        this.size = limitSize(frame.size);
        return this.#events.onSize(this);
      case "leave":
        this.#departure = frame.how;
        return;
      case "signal":
        return this.#events.onSignal(frame.name);
      case "continue":
        return this.#events.onContinue();
      case "command":
        return this.#events.onCommand(this, frame.name);
      case "redraw":
        return this.repaint();
      case "input":
        if (this.#notice !== undefined) {
          this.#endNotice();
          this.repaint();
        }
        return this.#events.onInput(this, frame.bytes);
      default:
        return this.#refuse(`clients must not send ${frame.kind}`);
    }
  }

  #greet(hello: Hello): void {
    if (hello.version < oldestProtocolVersion) {
      return this.#refuse(`this host uses the protocol versions ${oldestProtocolVersion} to ${protocolVersion}`);
    }
    this.#version = Math.min(hello.version, protocolVersion);
    // A client of version 1 cannot say how it leaves.
    if (this.#version < 2) this.#departure = "detach";
    this.size = limitSize(hello.size);
    this.#detachKey = this.#version < 3 ? null : (hello.detachKey ?? null);
    const refusal = this.#events.onHello(this);
    if (refusal !== undefined) return this.#refuse(refusal);
    this.#outbox.put(encodeFrame({ kind: "welcome", version: this.#version }));
    if (hello.notice !== null) this.#startNotice(hello.notice);
    if (!this.#hasOnlyItsBytes) this.#events.onSize(this);
  }

  #startNotice(notice: string): void {
    this.#notice = notice;
    this.#noticeTimer = setTimeout(() => {
      this.#endNotice();
      this.repaint();
    }, noticeMs);
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
    this.#hasOnlyItsBytes = false;
    const view = this.#model.view();
    if (view.alternate !== this.#shown?.alternate) return this.repaint();
    const { columns } = this.#model.size;
    // The notice takes the last row of the terminal.
    const notice = this.#notice ?? this.#textOf(this.#line);
    const noticeRow = notice === undefined ? undefined : Math.min(this.size.rows, view.rows.length) - 1;
    if (noticeRow !== undefined) view.rows[noticeRow] = `\x1b[7m ${(notice ?? "").slice(0, columns - 2)} \x1b[0m`;
    const before = this.#painted;
    const rows = view.rows.flatMap((row, y) => (row === before?.rows[y] ? [] : [`\x1b[${y + 1};1H${row}\x1b[K`]));
    if (rows.length === 0 && view.rest === before?.rest) return;
    const text = `\x1b[?25l\x1b[0m\x1b(B\x0f\x1b[r\x1b[?6l${rows.join("")}${view.rest}`;
    if (this.#outbox.offer(...outputFrames(text))) this.#painted = view;
  }
}

function outputFrames(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const count = Math.ceil(bytes.length / maxFrameBytes);
  return Array.from({ length: count }, (_, at) =>
    encodeFrame({ kind: "output", bytes: bytes.subarray(at * maxFrameBytes, (at + 1) * maxFrameBytes) }),
  );
}

import { type Segment, valueOf } from "../../claude/argv/flags.ts";
import { Failure } from "../../core/failure.ts";
import { type HeldOutput, holdOutput, type PrintFormat } from "../../claude/stream/held-output.ts";
import { OwnOutput } from "../../io/process/own-output.ts";

/** With prompts on stdin, claude may wait for the next prompt and its sender for this result: then it is passed on after this time. */
const maxHoldMs = 5_000;

/** Passes the output of `claude -p` on to our stdout, so that all attempts together print one answer. */
export class PrintOutput {
  readonly #format: PrintFormat;
  readonly #stdout = new OwnOutput();
  #held: HeldOutput;
  #writing: Promise<boolean> = Promise.resolve(true);
  #timer: Timer | undefined;

  constructor(segments: readonly Segment[]) {
    this.#format = { output: valueOf(segments, "output-format"), input: valueOf(segments, "input-format") };
    this.#held = holdOutput(this.#format);
  }

  /** Claude's words in what is held back. */
  get message(): string | undefined {
    return this.#held.message;
  }

  /** Takes what claude printed. Returns false when our stdout has no reader any more. */
  take(bytes: Uint8Array): Promise<boolean> {
    const written = this.#write(this.#held.take(bytes));
    if (!this.#held.isHolding) this.#stopTimer();
    else this.#timer ??= setTimeout(() => void this.#write(this.#held.releaseEvents()), maxHoldMs);
    return written;
  }

  /** No other attempt follows. Fails when our stdout cannot be written. */
  async release(): Promise<void> {
    this.#stopTimer();
    await this.#write(this.#held.release());
    const { failure } = this.#stdout;
    if (failure) throw new Failure("failed", failure);
  }

  /** Another attempt follows. */
  async discard(): Promise<void> {
    this.#stopTimer();
    await this.#write(this.#held.discard());
    this.#held = holdOutput(this.#format, true);
  }

  #write(parts: readonly Uint8Array[]): Promise<boolean> {
    const bytes = Buffer.concat(parts);
    this.#writing = this.#writing.then(() => this.#stdout.write(bytes));
    return this.#writing;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

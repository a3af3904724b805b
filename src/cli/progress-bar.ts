import { formatBytes } from "./format.ts";
import type { Output } from "./output.ts";

const barWidth = 24;
const barPauseMs = 80;
const linePauseMs = 5_000;
/** Work that ends sooner needs no bar. */
const quietMs = 400;

/** Progress on stderr: a bar on a terminal, now and then a line elsewhere. */
export class ProgressBar {
  readonly #output: Output;
  readonly #what: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #started = performance.now();
  #shownAt = this.#started;
  #isShown = false;

  constructor(output: Output, what: string) {
    this.#output = output;
    this.#what = what;
  }

  show(done: number, total: number): void {
    const now = performance.now();
    const pause = this.#isTerminal ? barPauseMs : linePauseMs;
    if (this.#output.mode !== "human" || total === 0 || now - this.#started < quietMs || now - this.#shownAt < pause)
      return;
    this.#shownAt = now;
    const share = done / total;
    const amount = `${formatBytes(done)} of ${formatBytes(total)}`;
    if (!this.#isTerminal) return this.#output.note(`${this.#what}: ${Math.floor(share * 100)} %, ${amount}`);
    const filled = Math.round(share * barWidth);
    process.stderr.write(`\r\x1b[K${this.#what} ${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${amount}`);
    this.#isShown = true;
  }

  /** Removes the bar, so that the result stands alone. */
  clear(): void {
    if (this.#isShown) process.stderr.write("\r\x1b[K");
    this.#isShown = false;
  }
}

import type { Defect } from "./defect.ts";
import { IdTable } from "./id-table.ts";
import { NumberList } from "./number-list.ts";
import type { TranscriptRecord } from "./transcript.ts";

/** Pairs tool calls with their results. Half a pair is left out by every client, so alone it is no damage. */
export class ToolCheck {
  readonly #ids = new IdTable();
  readonly #seen = new NumberList();
  readonly #lines = new NumberList();
  readonly #offsets = new NumberList();

  add({ calls, results }: TranscriptRecord, line: number, offset: number): void {
    for (const id of calls) this.#see(id, 1, line, offset);
    for (const id of results) this.#see(id, 2, line, offset);
  }

  finish(lastLine: number): Defect[] {
    const found: Defect[] = [];
    for (let id = 0; id < this.#ids.size; id++) {
      const seen = this.#seen.at(id);
      if (seen === 3) continue;
      const line = this.#lines.at(id);
      const place = { severity: "note" as const, line, offset: this.#offsets.at(id), repair: null };
      if (seen === 2) {
        const loses = "this result: without its call it is not sent";
        found.push({
          ...place,
          kind: "orphan-tool-result",
          what: "the result of a tool call that is not there",
          loses,
        });
        continue;
      }
      const what =
        line >= lastLine
          ? "the last tool call has no result: the session was interrupted"
          : "a tool call without a result";
      const loses = "this call: it is not sent, or as one that was interrupted";
      found.push({ ...place, kind: "orphan-tool-use", what, loses });
    }
    return found;
  }

  #see(id: string, bit: number, line: number, offset: number): void {
    const number = this.#ids.intern(id);
    if (number >= this.#seen.size) {
      this.#seen.push(bit);
      this.#lines.push(line);
      this.#offsets.push(offset);
    } else {
      this.#seen.set(number, this.#seen.at(number) | bit);
    }
  }
}

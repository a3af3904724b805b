import type { Defect } from "./defect.ts";
import { IdTable } from "./id-table.ts";
import { NumberRows } from "./number-rows.ts";

/** Pairs tool calls with their results. Half a pair is left out by every client, so alone it is no damage. */
export class ToolCheck {
  /** The value is what was seen of the id: 1 its call, 2 its result, 3 both. */
  readonly ids = new IdTable();
  /** By the id's number: where it was seen first. */
  readonly #places = new NumberRows();
  #pairs = 0;

  /** Ids are numbers of `ids`. */
  addCall(id: number, line: number, offset: number): void {
    this.#see(id, 1, line, offset);
  }

  addResult(id: number, line: number, offset: number): void {
    this.#see(id, 2, line, offset);
  }

  finish(lastLine: number): Defect[] {
    const found: Defect[] = [];
    if (this.#pairs === this.ids.size) return found;
    for (let id = 0; id < this.ids.size; id++) {
      const seen = this.ids.valueAt(id);
      if (seen === 3) continue;
      const line = this.#places.at(id, 0);
      const place = { severity: "note" as const, line, offset: this.#places.at(id, 1), repair: null };
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

  #see(id: number, bit: number, line: number, offset: number): void {
    const seen = this.ids.valueAt(id);
    if (seen === -1) this.#places.push(line, offset, 0, 0);
    const both = seen === -1 ? bit : seen | bit;
    if (both === 3 && seen !== 3) this.#pairs++;
    this.ids.setValue(id, both);
  }
}

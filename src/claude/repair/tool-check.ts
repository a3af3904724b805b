import type { Defect } from "./defect.ts";
import { IdTable } from "../scanner/id-table.ts";
import { NumberTable } from "../scanner/number-table.ts";

/** Pairs tool calls with their results. Every client skips an unpaired one, so it is not damage. */
export class ToolCheck {
  /** The value of an id: 1 its call was seen, 2 its result, 3 both. */
  readonly ids = new IdTable();
  /** One row for each id: where it was seen first. */
  readonly #places = new NumberTable();
  #pairs = 0;

  /** `id` is a number from `ids`. */
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
        const loses = "this result: Claude does not send it without its call";
        found.push({
          ...place,
          kind: "orphan-tool-result",
          what: "the result of a missing tool call",
          loses,
        });
        continue;
      }
      const what =
        line >= lastLine
          ? "the last tool call has no result: the session was interrupted"
          : "a tool call without a result";
      const loses = "this call: Claude does not send it, or sends it as interrupted";
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

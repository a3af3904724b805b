import { mendText } from "./broken-text.ts";
import type { PlannedRecord } from "./repair-plan.ts";
import { setParent } from "./set-parent.ts";
import { decodeLine } from "./transcript.ts";

export const isChanged = ({ mended, parent }: PlannedRecord): boolean => mended || parent !== undefined;

/** What a changed record will be, from what it is. */
export function changedBytes({ piece, mended, parent }: PlannedRecord, bytes: Uint8Array): Uint8Array {
  const text = decodeLine(piece.bytes ?? bytes);
  const sound = mended ? mendText(text) : text;
  return new TextEncoder().encode(parent === undefined ? sound : setParent(sound, parent));
}

import { repairText } from "./broken-text.ts";
import type { PlannedRecord } from "./repair-plan.ts";
import { setParent } from "./set-parent.ts";
import { decodeLine } from "../transcript/transcript.ts";

export const isChanged = ({ isTextRepaired, parent }: PlannedRecord): boolean => isTextRepaired || parent !== undefined;

/** The repaired bytes of a changed record. */
export function changedBytes({ piece, isTextRepaired, parent }: PlannedRecord, bytes: Uint8Array): Uint8Array {
  const text = decodeLine(piece.bytes ?? bytes);
  const repaired = isTextRepaired ? repairText(text) : text;
  return new TextEncoder().encode(parent === undefined ? repaired : setParent(repaired, parent));
}

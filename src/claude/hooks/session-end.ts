import type { EndReason } from "../../core/restart/cause.ts";

const leaving = new Set(["prompt_input_exit", "logout", "bypass_permissions_disabled"]);
const continuing = new Set(["clear", "resume"]);

/** What the reason of a SessionEnd hook means; `continues` when the same claude process holds another session from then on. */
export function readEndReason(reason: string): EndReason | "continues" {
  if (continuing.has(reason)) return "continues";
  return leaving.has(reason) ? "left" : "other";
}

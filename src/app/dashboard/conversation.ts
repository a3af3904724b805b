import type { ConversationPart } from "../../core/dashboard/contract.ts";
import type { Environment } from "../environment.ts";
import { restoreChoice } from "../snapshot/restore-choice.ts";
import { viewConversation } from "../snapshot/view.ts";

const maxBlocks = 5_000;

export interface ConversationRequest {
  readonly sessionId: string;
  /** A point, as `restore --to` names it; undefined: now. */
  readonly to: string | undefined;
  /** Only the turn with this entry. */
  readonly around: string | undefined;
  /** How many blocks, from the end. */
  readonly count: number;
}

/** The conversation at a point, from the same source as `session-snapshot view`. */
export function conversationPart(
  environment: Environment,
  { sessionId, to, around, count }: ConversationRequest,
): ConversationPart {
  const view = viewConversation(environment, {
    session: sessionId,
    cwd: environment.cwd,
    choice: to === undefined ? undefined : restoreChoice(to, environment.now()),
    around,
    full: false,
    showTime: clockTime,
  });
  const blocks = [...view.pieces];
  const shown = around === undefined ? Math.min(Math.max(1, count), maxBlocks) : maxBlocks;
  const turn = view.point ? `turn ${view.point.turn ?? "?"}` : "now";
  return {
    at: view.mark ? `mark ${view.mark.n}` : around === undefined ? turn : "one turn",
    blocks: blocks.slice(-shown),
    earlier: Math.max(0, blocks.length - shown),
  };
}

const two = (value: number): string => String(value).padStart(2, "0");

function clockTime(time: number, before: number | undefined): string {
  const date = new Date(time);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const isSameDay = before !== undefined && new Date(before).toDateString() === date.toDateString();
  return isSameDay ? clock : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

/** A line of the host for the last row of a terminal. `detachKey`: as its user knows it (`Ctrl-\ d`); null without commands. */
export type HostLine = (detachKey: string | null) => string;

/** Where a conversation would go back to. */
export interface FittingPoint {
  /** Milliseconds since 1970; null when the transcript does not say. */
  readonly time: number | null;
  readonly turn: number | null;
  /** Tokens that stay; null when the transcript does not say. */
  readonly tokens: number | null;
}

/** The keys come first: a narrow terminal cuts the end of the line. */
export const overflowLine =
  (point: FittingPoint): HostLine =>
  (detachKey) => {
    const prefix = prefixOf(detachKey);
    const keys = prefix === null ? ["/exit offers to restore"] : [`${prefix} r restores`, `${prefix} x dismisses`];
    return ["Context full", ...keys, `back to ${describePoint(point)}`].join(" · ");
  };

/** `14:05, turn 12, 85k tokens kept`, as far as it is known. */
export function describePoint({ time, turn, tokens }: FittingPoint): string {
  const parts = [
    ...(time === null ? [] : [clock(new Date(time))]),
    ...(turn === null || turn === 0 ? [] : [`turn ${turn}`]),
    ...(tokens === null ? [] : [`${thousands(tokens)} tokens kept`]),
  ];
  return parts.length === 0 ? "an earlier point" : parts.join(", ");
}

export const keysLine: HostLine = (detachKey) => {
  const prefix = prefixOf(detachKey) ?? "";
  const keys = [`${detachKey} detaches`, `${prefix} r restores a full conversation`, `${prefix} x removes the line`];
  return [...keys, `${prefix} twice sends it once`].join(" · ");
};

export const notFullLine: HostLine = () => "The conversation fits its context: there is nothing to restore.";
export const noPointLine: HostLine = () => "No earlier point of this conversation is small enough to restore.";
export const clearPromptLine: HostLine = (detachKey) =>
  `Send or remove the text at the prompt first, then press ${prefixOf(detachKey) ?? ""} r.`;
export const restoringLine: HostLine = () => "Claude exits, and resumes at the earlier point…";
export const stillRunningLine: HostLine = () => "Claude did not exit. Type /exit: cclaude then offers to restore.";

/** `Ctrl-\` of `Ctrl-\ d`. A detach key of one key alone is no prefix. */
export function prefixOf(detachKey: string | null): string | null {
  const [prefix = null, second] = detachKey?.split(" ") ?? [];
  return second === undefined ? null : prefix;
}

const thousands = (count: number): string => (count < 1_000 ? String(count) : `${Math.round(count / 1_000)}k`);
const clock = (date: Date): string =>
  [date.getHours(), date.getMinutes()].map((value) => String(value).padStart(2, "0")).join(":");

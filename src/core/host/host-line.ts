/**
 * A line of the host for the last row of a terminal of `columns` columns. `detachKey`: as its user knows it (`Ctrl-\ d`); null
 * without commands.
 */
export type HostLine = (detachKey: string | null, columns: number) => string;

/** What a conversation has after a point. */
export interface WorkAfter {
  readonly turns: number;
  /** Files that Claude edited. */
  readonly files: number;
  readonly commands: number;
}

/** Where a conversation would go back to. */
export interface FittingPoint {
  /** Milliseconds since 1970; null when the transcript does not say. */
  readonly time: number | null;
  readonly turn: number | null;
  /** Tokens that stay; null when the transcript does not say. */
  readonly tokens: number | null;
  readonly after: WorkAfter;
  /** The user's last prompt after the point, which Claude gets again; null without one. */
  readonly lastPrompt: string | null;
}

/** Offers the restore, with as much of the point as the row has room for. */
export const overflowLine =
  (point: FittingPoint): HostLine =>
  (detachKey, columns) => {
    const prefix = prefixOf(detachKey);
    const work = describeWork(point.after);
    const [most = "", ...more] = work;
    const start = "Context full";
    const full = join([describeTarget(point, " tokens kept"), afterwards("after", work)], "; ");
    const short = (words: readonly string[], unit = " kept"): string =>
      join([describeTarget(point, unit), afterwards("after", words)], "; ");
    if (prefix === null) {
      const keys = "/exit offers to restore";
      const lines = [full, short(work), short([most])].map((rest) => `${start} · ${keys} · back to ${rest}`);
      return longestFitting([...lines, `${start} · ${keys}`], columns);
    }
    const restores = `${prefix} r`;
    const refuses = `${prefix} x`;
    return longestFitting(
      [
        `${start} · ${restores} restores to ${full} · ${refuses} dismisses`,
        ...[work, [most, ...more.slice(0, 1)]].map(
          (words) => `${start} · ${restores}: back to ${short(words)} · ${refuses}: no`,
        ),
        `${start} · ${restores}: to ${short([most])} · ${refuses}: no`,
        `Full · ${restores}: back to ${short([most])}`,
        `Full · ${restores}: to ${short([most], "")}`,
        `Full · ${restores} restores`,
      ],
      columns,
    );
  };

/** `14:05, turn 12, 85k tokens kept; after it: 3 turns, 2 files, 5 commands`, as far as it is known. */
export function describePoint({ time, turn, tokens, after }: FittingPoint): string {
  const parts = [
    ...(time === null ? [] : [clock(new Date(time))]),
    ...(turn === null || turn === 0 ? [] : [`turn ${turn}`]),
    ...(tokens === null ? [] : [`${thousands(tokens)} tokens kept`]),
  ];
  const point = parts.length === 0 ? "an earlier point" : parts.join(", ");
  return join([point, afterwards("after it", describeWork(after))], "; ");
}

export const keysLine: HostLine = (detachKey, columns) => {
  const prefix = prefixOf(detachKey) ?? "";
  const keys = [`${detachKey} detaches`, `${prefix} r restores a full conversation`, `${prefix} x removes the line`];
  const [, detach] = detachKey?.split(" ") ?? [];
  return longestFitting(
    [
      [...keys, `${prefix} twice sends it once`].join(" · "),
      `After ${prefix}: ${detach} detaches · r restores · x removes the line · ${prefix} sends it`,
      `After ${prefix}: ${detach} detaches · r restores · x hides`,
    ],
    columns,
  );
};

export const notFullLine: HostLine = () => "Nothing to restore: the conversation fits.";
export const noPointLine: HostLine = () => "No earlier point is small enough to restore.";
export const clearPromptLine: HostLine = (detachKey, columns) =>
  longestFitting(
    [
      `Send or remove the text at the prompt first, then press ${prefixOf(detachKey) ?? ""} r.`,
      "Send or remove the text at the prompt first.",
    ],
    columns,
  );
export const restoringLine: HostLine = () => "Claude exits, and resumes at the earlier point…";
export const stillRunningLine: HostLine = (_, columns) =>
  longestFitting(
    ["Claude did not exit. Type /exit: cclaude then offers to restore.", "Claude did not exit. Type /exit to restore."],
    columns,
  );

/** `Ctrl-\` of `Ctrl-\ d`. A detach key of one key alone is no prefix. */
export function prefixOf(detachKey: string | null): string | null {
  const [prefix = null, second] = detachKey?.split(" ") ?? [];
  return second === undefined ? null : prefix;
}

/** The first of the lines, longest first, that fits; the last one is cut where none does. */
const longestFitting = (lines: readonly string[], columns: number): string =>
  lines.find((line) => line.length <= columns) ?? (lines.at(-1) ?? "").slice(0, columns);

function describeTarget({ time, turn, tokens }: FittingPoint, unit: string): string {
  const place = time === null ? (turn ? `turn ${turn}` : "an earlier point") : clock(new Date(time));
  return tokens === null ? place : `${place}, ${thousands(tokens)}${unit}`;
}

const describeWork = ({ turns, files, commands }: WorkAfter): string[] => [
  ...count(turns, "turn"),
  ...count(files, "file"),
  ...count(commands, "command"),
];

const count = (many: number, what: string): string[] => (many === 0 ? [] : [`${many} ${what}${many === 1 ? "" : "s"}`]);

const afterwards = (when: string, work: readonly string[]): string =>
  work.join("") === "" ? "" : `${when}: ${work.join(", ")}`;

const join = (parts: readonly string[], by: string): string => parts.filter((part) => part !== "").join(by);

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`);
const clock = (date: Date): string =>
  [date.getHours(), date.getMinutes()].map((value) => String(value).padStart(2, "0")).join(":");

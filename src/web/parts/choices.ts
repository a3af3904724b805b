import type { SessionTimeline } from "../../core/dashboard/contract.ts";
import { formatCount } from "../live/format.ts";

/** A place that can be picked: the end of a turn, a mark, or a mark of the files. */
export interface Choice {
  /** As `restore --to` names it. */
  readonly to: string;
  readonly kind: "turn" | "mark" | "files";
  readonly time: number;
  readonly tokens: number | null;
  readonly label: string;
}

/** Everything that can be picked, oldest first. */
export function choicesOf({ points, marks, fileMarks }: SessionTimeline): Choice[] {
  const turnEnds = new Map(points.filter(({ turn }) => turn > 0).map((point) => [point.turn, point]));
  return [
    ...[...turnEnds.values()].map(({ time, tokens, turn }): Choice => ({
      to: `t${turn}`,
      kind: "turn",
      time,
      tokens,
      label: `end of turn ${turn}, ${formatCount(tokens)} tokens`,
    })),
    ...marks.map(({ n, time, tokens, reason, lastStep }): Choice => ({
      to: String(n),
      kind: "mark",
      time,
      tokens,
      label: [`mark ${n}, ${reason}`, lastStep ?? ""].filter(Boolean).join(": "),
    })),
    ...fileMarks
      .filter(({ files }) => files > 0)
      .map(({ n, time, reason, files, added, removed }): Choice => ({
        to: `f${n}`,
        kind: "files",
        time,
        tokens: null,
        label: `f${n}, ${reason}: ${files} ${files === 1 ? "file" : "files"} +${added} −${removed}`,
      })),
  ].sort((a, b) => a.time - b.time);
}

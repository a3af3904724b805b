import { type LiveProgram, readKeysUntil } from "../../app/host/find-attachable.ts";
import type { Output } from "../output.ts";
import { renderTable } from "../table.ts";
import { type Choice, type Chosen, pressKeys } from "./choice.ts";
import type { ListPlace } from "./run-list.ts";
import { describeHosted, describePhase, roughDuration, shortId, shortPath } from "./state-words.ts";

const columns = [
  { title: "", align: "right" },
  { title: "state", shrinksTo: 22 },
  { title: "title", shrinksTo: 12 },
  { title: "directory", shrinksTo: 10, cuts: "start", leavesAs: 2 },
  { title: "run", leavesAs: 1 },
  { title: "since", align: "right", leavesAs: 3 },
] as const;

/** Lets the user choose one of several programs; undefined when the user quits. Needs a terminal. */
export function askForProgram(
  programs: readonly LiveProgram[],
  output: Output,
  place: ListPlace,
  stderr: NodeJS.WriteStream,
): LiveProgram | undefined {
  let choice: Choice = { count: programs.length, selected: 0, digits: "" };
  let painted = 0;
  const clear = (): string => (painted === 0 ? "\r" : `\x1b[${painted}A\r`) + "\x1b[J";
  const paint = (): void => {
    const lines = renderChoice(
      programs,
      choice,
      { ...output, tableWidth: stderr.columns || 80 },
      stderr.rows || 24,
      place,
    );
    stderr.write(`${clear()}${lines.join("\r\n")}\r\n`);
    painted = lines.length;
  };
  paint();
  const over = readKeysUntil((keys) => {
    const next: Chosen = pressKeys(choice, keys);
    if (next === "quit" || "chosen" in next) return next;
    choice = next;
    paint();
    return undefined;
  });
  stderr.write(clear());
  return over === undefined || over === "quit" ? undefined : programs[over.chosen];
}

/** The rows around the selected one that fit the height, between a title and the keys. */
export function renderChoice(
  programs: readonly LiveProgram[],
  { selected, digits }: Choice,
  output: Output,
  height: number,
  { home, now }: ListPlace,
): string[] {
  const { bold, dim } = output.colors;
  const rows = programs.map(({ id, state, title, directory, since }, index) => [
    String(index + 1),
    state.kind === "hosted" ? describeHosted(state.status, now) : describePhase(state.status, "headless", now),
    title || "(interactive)",
    shortPath(directory, home),
    shortId(id),
    roughDuration(now - since),
  ]);
  const [head = "", ...body] = renderTable(columns, rows, output.tableWidth - 3);
  const shown = Math.max(1, Math.min(programs.length, height - 4));
  const first = Math.min(Math.max(0, selected - Math.floor(shown / 2)), programs.length - shown);
  const list = body
    .map((line, index) => (index === selected ? bold(`❯ ${line}`) : `  ${line}`))
    .slice(first, first + shown);
  const more = programs.length > shown ? ` · ${programs.length - shown} more` : "";
  const typed = digits === "" ? "" : ` · ${digits}_`;
  const keys = output.tableWidth < 60 ? "↑↓ or number, Enter, q" : "↑↓ or a number chooses · Enter attaches · q quits";
  return [dim(`  ${head}`), ...list, dim(`  ${keys}${more}${typed}`)];
}

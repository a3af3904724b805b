import { claudeVersions } from "../../../test/support/sandbox/claude-versions.ts";
import { type Cell, measureCell } from "./measure-cell.ts";
import { scenarios } from "./scenarios.ts";
import { ways } from "./ways.ts";

/** Plays every scenario with every way and client whose names contain one of the words; all of them without words. */
export async function measurePeers(
  executable: string,
  { patienceMs, only }: { readonly patienceMs: number; readonly only: readonly string[] },
): Promise<Cell[]> {
  const cells: Cell[] = [];
  const isChosen = (name: string): boolean => only.every((word) => name.includes(word));
  for (const client of claudeVersions) {
    for (const scenario of scenarios) {
      for (const way of ways) {
        if (scenario.terminalOnly && !way.isTerminal) continue;
        if (way.without?.includes(client) || !isChosen(`${client} · ${scenario.name} · ${way.name}`)) continue;
        const cell = await measureCell(client, scenario, way, { executable, patienceMs });
        console.error(cellsOf(cell).join(" · "));
        cells.push(cell);
      }
    }
  }
  return cells;
}

const titles = ["client", "scenario", "way", "finished", "each step once", "seconds"] as const;

const cellsOf = ({ client, scenario, way, finished, eachStepOnce, seconds }: Cell): string[] => [
  client,
  scenario,
  way,
  finished ? "yes" : "no",
  eachStepOnce ? "yes" : "no",
  seconds === undefined ? "" : seconds.toFixed(1),
];

const begin = "<!-- written by bun run bench --peers --write: begin -->";
const end = "<!-- written by bun run bench --peers --write: end -->";

/** The section of `docs/BENCHMARKS.md` with this comparison; empty when the page has none. */
export function peersSectionIn(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  return from < 0 || to < from ? "" : page.slice(from, to + end.length);
}

export function peersSection(cells: readonly Cell[], { patienceMs, day }: { patienceMs: number; day: string }): string {
  const lines = [titles, titles.map((title) => (title === "seconds" ? "--:" : "---")), ...cells.map(cellsOf)];
  return `${begin}

## Beside Claude alone

A task of three steps, each of which appends a line. After the first step the scenario happens. "Finished": the task was done within
${patienceMs / 1_000} seconds after the reset or the fault, without a person. "Seconds": from the reset of the limit, the last refusal or the fault
to the next request that the API answers. After "everything" was killed, and after a closed terminal, our programs get one
\`ai-runtime recover --all\`. "Watchdog": \`CLAUDE_CODE_RETRY_WATCHDOG=1\`, which 2.1.36 does not have. ${day}.

${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

${end}`;
}

import type { HelpPage } from "../help/help.ts";
import { describeEntry, type ProgramTable } from "./program-table.ts";

/** A program's own help: its commands with their summaries. */
export async function programPage(program: ProgramTable): Promise<HelpPage> {
  const rows = Object.entries(program.verbs).map(
    async ([name, entry]) => [name, (await describeEntry(entry)).summary] as const,
  );
  return {
    name: program.name,
    summary: program.summary,
    usage: rows.length > 0 ? `${program.name} <command> [options]` : `${program.name} [options]`,
    ...(program.details ? { details: program.details } : {}),
    sections: [
      { title: "Commands", rows: await Promise.all(rows) },
      { title: "Programs (each also works as a command of its own)", rows: program.otherPrograms ?? [] },
      {
        title: "Options",
        rows: [
          ["-h, --help", `show this help; ${program.name} <command> --help shows that of one command`],
          ["-v, --version", "print the name and version"],
        ],
      },
    ],
    examples: program.examples,
  };
}

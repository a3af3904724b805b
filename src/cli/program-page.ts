import type { HelpPage } from "./help.ts";
import type { ProgramDefinition } from "./program.ts";

/** A program's own help: its commands with their summaries, and where to read on. */
export async function programPage(program: ProgramDefinition): Promise<HelpPage> {
  const rows = Object.entries(program.verbs).map(
    async ([name, load]) => [name, (await load()).default.summary] as const,
  );
  return {
    name: program.name,
    summary: program.summary,
    usage: rows.length > 0 ? `${program.name} <command> [options]` : `${program.name} [options]`,
    ...(program.details ? { details: program.details } : {}),
    sections: [
      { title: "Commands", rows: await Promise.all(rows) },
      ...(program.moreHelp ?? []),
      {
        title: "Options",
        rows: [
          ["-h, --help", `show this help; ${program.name} <command> --help for one command`],
          ["-v, --version", "print name and version"],
        ],
      },
    ],
    examples: program.examples,
  };
}

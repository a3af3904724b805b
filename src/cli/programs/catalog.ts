import type { ArgDef } from "citty";
import { type IdKind, idKindOf } from "../completions/id-kinds.ts";
import { aiRuntime } from "./ai-runtime.ts";
import { sessionSnapshot } from "./session-snapshot.ts";
import { describeEntry, type ProgramTable } from "./program-table.ts";

/** Every table, those inside others included: help, completions and the man page are made from it. */
export const programs: readonly ProgramTable[] = [aiRuntime, sessionSnapshot].flatMap(withInnerTables);

function withInnerTables(table: ProgramTable): ProgramTable[] {
  const inner = Object.values(table.verbs).flatMap((entry) => (entry.kind === "table" ? [entry.table] : []));
  return [table, ...inner.flatMap(withInnerTables)];
}

/** Other programs that `ai-runtime <name>` starts. */
export const programNames = ["cclaude", "session-snapshot"] as const;

export interface Candidate {
  word: string;
  summary: string;
}

/** The words that may follow, for example, `ai-runtime checkpoint` or `session-snapshot restore`. */
export interface Route {
  route: string;
  candidates: Candidate[];
  /** Every possible word is known, so file names are not completed. */
  closed: boolean;
  /** The ids that may follow. */
  ids?: IdKind;
  /** The options with known values: a fixed list, or ids. */
  values: OptionValues[];
}

export type OptionValues = { option: string; words: string[] } | { option: string; ids: IdKind };

export async function readRoutes(): Promise<Route[]> {
  const routes = new Map<string, Route>();
  for (const program of programs) {
    routes.set(program.name, { route: program.name, candidates: [], closed: true, values: [] });
  }
  for (const program of programs) {
    for (const [name, entry] of Object.entries(program.verbs)) {
      const verb = await describeEntry(entry);
      routes.get(program.name)?.candidates.push({ word: name, summary: verb.summary });
      const route = `${program.name} ${name}`;
      if (!routes.has(route)) routes.set(route, verbRoute(route, Object.entries(verb.args)));
    }
  }
  for (const name of programNames) {
    routes.get("ai-runtime")?.candidates.push({ word: name, summary: `the program ${name}` });
  }
  for (const { candidates } of routes.values()) candidates.push({ word: "--help", summary: "show help" });
  return [...routes.values()];
}

function verbRoute(route: string, args: [string, ArgDef][]): Route {
  const made: Route = { route, candidates: [], closed: false, values: [] };
  for (const [name, arg] of args) {
    const words = knownValues(arg);
    const ids = idKindOf(name);
    const option = `--${name}`;
    if (arg.type === "positional") {
      made.candidates.push(...words.map((word) => ({ word, summary: name })));
      made.closed ||= words.length > 0;
      if (ids) made.ids = ids;
    } else {
      made.candidates.push({ word: option, summary: arg.description ?? "" });
      if (words.length > 0) made.values.push({ option, words });
      else if (ids) made.values.push({ option, ids });
    }
  }
  return made;
}

/** A hint such as `bash|zsh|fish` lists all possible values. */
function knownValues(arg: ArgDef): string[] {
  if (arg.type === "enum") return arg.options ?? [];
  const hint = arg.valueHint ?? "";
  return hint.includes("|") ? hint.split("|") : [];
}

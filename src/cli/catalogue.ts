import type { ArgDef } from "citty";
import type { ProgramDefinition } from "./program.ts";
import { aiRuntime, checkpoint, service } from "./programs/ai-runtime-verbs.ts";
import { sessionSnapshot } from "./programs/session-snapshot-verbs.ts";

/** Every table of verbs there is: completions and the man page are made from it. A new one belongs in here. */
export const programs: readonly ProgramDefinition[] = [aiRuntime, checkpoint, service, sessionSnapshot];

/** Other programs that ai-runtime starts by their name as its first word. */
export const programNames = ["cclaude", "session-snapshot"] as const;

export interface Candidate {
  word: string;
  summary: string;
}

/** What may follow certain words: `ai-runtime checkpoint`, `session-snapshot restore`. */
export interface Route {
  route: string;
  candidates: Candidate[];
  /** All that may follow is known: no file can be meant. */
  closed: boolean;
  /** Words that may follow one of its options, where those are known. */
  values: { option: string; words: string[] }[];
}

export async function readRoutes(): Promise<Route[]> {
  const routes = new Map<string, Route>();
  for (const program of programs) {
    routes.set(program.name, { route: program.name, candidates: [], closed: true, values: [] });
  }
  for (const program of programs) {
    for (const [name, load] of Object.entries(program.verbs)) {
      const verb = (await load()).default;
      routes.get(program.name)?.candidates.push({ word: name, summary: verb.summary });
      const route = `${program.name} ${name}`;
      if (!routes.has(route)) routes.set(route, verbRoute(route, Object.entries(verb.args)));
    }
  }
  for (const name of programNames) {
    routes.get("ai-runtime")?.candidates.push({ word: name, summary: `the program ${name}` });
  }
  for (const { candidates } of routes.values()) candidates.push({ word: "--help", summary: "show its help" });
  return [...routes.values()];
}

function verbRoute(route: string, args: [string, ArgDef][]): Route {
  const made: Route = { route, candidates: [], closed: false, values: [] };
  for (const [name, arg] of args) {
    const words = knownValues(arg);
    if (arg.type === "positional") {
      made.candidates.push(...words.map((word) => ({ word, summary: name })));
      made.closed ||= words.length > 0;
    } else {
      made.candidates.push({ word: `--${name}`, summary: arg.description ?? "" });
      if (words.length > 0) made.values.push({ option: `--${name}`, words });
    }
  }
  return made;
}

/** A hint such as `bash|zsh|fish` lists all that there is. */
function knownValues(arg: ArgDef): string[] {
  if (arg.type === "enum") return arg.options ?? [];
  const hint = arg.valueHint ?? "";
  return hint.includes("|") ? hint.split("|") : [];
}

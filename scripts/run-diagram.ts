// Draws the life of a run into docs/DESIGN.md, from the transitions themselves: bun scripts/run-diagram.ts
import { join } from "node:path";
import { type Context, type Life, transition } from "../src/core/machine.ts";
import type { Phase } from "../src/core/run-record.ts";
import type { AttemptEnd, Signal } from "../src/core/signal.ts";

// Records, not lists: a kind that is forgotten here is an error of types.
const phases: Record<Phase, true> = {
  starting: true,
  working: true,
  "waiting-limit": true,
  "backing-off": true,
  recovering: true,
  paused: true,
  done: true,
  failed: true,
  stopped: true,
};
const ends: { readonly [Kind in AttemptEnd["kind"]]: Extract<AttemptEnd, { kind: Kind }> } = {
  finished: { kind: "finished" },
  limit: { kind: "limit", resetsAt: null },
  crash: { kind: "crash" },
  server: { kind: "server" },
  empty: { kind: "empty" },
  overload: { kind: "overload" },
  authentication: { kind: "authentication" },
  billing: { kind: "billing" },
  budget: { kind: "budget" },
  turns: { kind: "turns" },
  refused: { kind: "refused" },
  error: { kind: "error" },
};
const others: { readonly [Kind in Exclude<Signal["kind"], "ended">]: readonly Extract<Signal, { kind: Kind }>[] } = {
  begin: [{ kind: "begin" }],
  launched: [{ kind: "launched" }],
  reached: [{ kind: "reached" }],
  ready: [{ kind: "ready" }],
  unready: [
    { kind: "unready", why: "went-on-elsewhere" },
    { kind: "unready", why: "no-restore-point" },
  ],
  interrupted: [{ kind: "interrupted" }],
  stop: [{ kind: "stop" }],
};

export const allPhases = Object.keys(phases) as Phase[];
export const allSignals: readonly Signal[] = [
  ...Object.values(others).flat(),
  ...Object.values(ends).map((end): Signal => ({ kind: "ended", end, progress: false })),
];

/** What a signal is called, here and in the table of the tests. */
export function nameOf(signal: Signal): string {
  if (signal.kind === "ended") return signal.end.kind;
  return signal.kind === "unready" ? signal.why : signal.kind;
}

const context: Context = {
  now: 0,
  random: 0,
  begun: true,
  knownLimit: null,
  turn: 0,
  maxWait: null,
  maxAttempts: 10,
  firstDelay: 1_000,
  unknownLimit: 1_000,
};

/** What else may hold, and then leads elsewhere. */
const circumstances: readonly {
  readonly name: string;
  readonly context?: Partial<Context>;
  readonly life?: Partial<Life>;
}[] = [
  { name: "" },
  { name: "for the first time", context: { begun: false } },
  { name: "limit known", context: { knownLimit: 60_000 } },
  { name: "too long to wait", context: { maxWait: 0, knownLimit: 60_000 } },
  { name: "too often", life: { fruitless: 9, restores: 3 } },
];

export function drawDiagram(): string {
  const arrows = new Map<string, string[]>();
  for (const from of allPhases) {
    for (const signal of allSignals) {
      const known = new Set<Phase>();
      for (const { name, ...given } of circumstances) {
        const life = { phase: from, until: null, cause: null, fruitless: 0, restores: 0, ...given.life };
        const { life: next, actions } = transition(life, signal, { ...context, ...given.context });
        const isNothing = next.phase === from && actions.length === 0;
        if (isNothing || known.has(next.phase)) continue;
        known.add(next.phase);
        const arrow = `${stateName(from)} --> ${stateName(next.phase)}: SIGNALS${name && ` (${name})`}`;
        arrows.set(arrow, [...(arrows.get(arrow) ?? []), nameOf(signal)]);
      }
    }
  }
  const lines = [...arrows].map(([arrow, names]) => `    ${arrow.replace("SIGNALS", names.join(", "))}`);
  const ended: readonly Phase[] = ["done", "stopped"];
  return [
    "```mermaid",
    "stateDiagram-v2",
    "    [*] --> starting",
    ...lines,
    ...ended.map((phase) => `    ${phase} --> [*]`),
    "```",
  ].join("\n");
}

/** A dash would be read as part of an arrow. */
const stateName = (phase: Phase): string => phase.replaceAll("-", "_");

const begin = "<!-- drawn by scripts/run-diagram.ts: begin -->";
const end = "<!-- drawn by scripts/run-diagram.ts: end -->";
export const designFile = join(import.meta.dir, "..", "docs", "DESIGN.md");

export function withDiagram(text: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${designFile} has no place for the diagram: ${begin} … ${end}`);
  return `${text.slice(0, from)}${begin}\n\n${drawDiagram()}\n\n${text.slice(to)}`;
}

if (import.meta.main) await Bun.write(designFile, withDiagram(await Bun.file(designFile).text()));

// `bun scripts/run-diagram.ts`: draws the state diagram of a run into docs/DESIGN.md, from the real transitions.
import { join } from "node:path";
import { type RunContext, type RunState, transition } from "../src/core/restart/machine.ts";
import { type Phase, phases } from "../src/core/run/run-record.ts";
import type { AttemptEnd, Signal } from "../src/core/restart/signal.ts";

// Records instead of arrays, so that a missing kind is a type error.
const ends: { readonly [Kind in AttemptEnd["kind"]]: Extract<AttemptEnd, { kind: Kind }> } = {
  finished: { kind: "finished" },
  limit: { kind: "limit", resetsAt: null },
  crash: { kind: "crash" },
  server: { kind: "server" },
  empty: { kind: "empty" },
  overload: { kind: "overload" },
  authentication: { kind: "authentication" },
  permission: { kind: "permission" },
  billing: { kind: "billing" },
  budget: { kind: "budget" },
  turns: { kind: "turns" },
  refused: { kind: "refused" },
  error: { kind: "error" },
  unfinished: { kind: "unfinished" },
  hook: { kind: "hook" },
  deferred: { kind: "deferred" },
  refusal: { kind: "refusal" },
};
const others: { readonly [Kind in Exclude<Signal["kind"], "ended">]: readonly Extract<Signal, { kind: Kind }>[] } = {
  begin: [{ kind: "begin" }],
  launched: [{ kind: "launched" }],
  retrying: [
    { kind: "retrying", why: "limit", until: 60_000 },
    { kind: "retrying", why: "server", until: 60_000 },
  ],
  answered: [{ kind: "answered" }],
  reached: [{ kind: "reached" }],
  ready: [{ kind: "ready" }],
  unready: [
    { kind: "unready", why: "went-on-elsewhere" },
    { kind: "unready", why: "no-restore-point" },
  ],
  interrupted: [{ kind: "interrupted" }],
  stop: [{ kind: "stop" }],
};

export const allSignals: readonly Signal[] = [
  ...Object.values(others).flat(),
  ...Object.values(ends).map((end): Signal => ({ kind: "ended", end, progress: false })),
];

/** The name of a signal in the diagram and in the test table. */
export function nameOf(signal: Signal): string {
  if (signal.kind === "ended") return signal.end.kind;
  if (signal.kind === "retrying") return `claude-waits-for-${signal.why}`;
  return signal.kind === "unready" ? signal.why : signal.kind;
}

/** A run without special circumstances; tests and benchmarks change what they are about. */
export const plainContext: RunContext = {
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

/** Conditions under which a signal leads to another state. */
const circumstances: readonly {
  readonly name: string;
  readonly context?: Partial<RunContext>;
  readonly state?: Partial<RunState>;
}[] = [
  { name: "" },
  { name: "for the first time", context: { begun: false } },
  { name: "limit known", context: { knownLimit: 60_000 } },
  { name: "too long to wait", context: { maxWait: 0, knownLimit: 60_000 } },
  { name: "too often", state: { fruitless: 9, restores: 3 } },
  { name: "claude waits", state: { claudeWaits: true } },
];

export function drawDiagram(): string {
  const arrows = new Map<string, string[]>();
  for (const from of phases) {
    for (const signal of allSignals) {
      const known = new Set<Phase>();
      for (const { name, ...given } of circumstances) {
        const state = { phase: from, until: null, cause: null, fruitless: 0, restores: 0, ...given.state };
        const { state: next, actions } = transition(state, signal, { ...plainContext, ...given.context });
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

/** Mermaid would read a dash as part of an arrow. */
const stateName = (phase: Phase): string => phase.replaceAll("-", "_");

const begin = "<!-- drawn by scripts/run-diagram.ts: begin -->";
const end = "<!-- drawn by scripts/run-diagram.ts: end -->";
export const designFile = join(import.meta.dir, "..", "docs", "DESIGN.md");

export function withDiagram(text: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${designFile} has no markers for the diagram: ${begin} … ${end}`);
  return `${text.slice(0, from)}${begin}\n\n${drawDiagram()}\n\n${text.slice(to)}`;
}

if (import.meta.main) await Bun.write(designFile, withDiagram(await Bun.file(designFile).text()));

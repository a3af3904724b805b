import { maskSecrets } from "../mask-secrets.ts";

/** A tool call of a session, as a hook or the stream of a run saw it. Its texts are one line each, short, and masked. */
export interface ToolStep {
  /** Claude's id of the call. */
  readonly id: string;
  readonly tool: string;
  /** What the call is about: its command, its file … */
  readonly about: string;
  readonly state: "started" | "completed" | "failed";
  /** When it was seen in this state, in milliseconds since 1970. */
  readonly time: number;
  /** The end of its output; empty when it has none or has not finished. */
  readonly output: string;
}

/** A tool call with its texts as Claude Code reported them. */
export type RawStep = Omit<ToolStep, "time">;

const maxNameCharacters = 80;
const maxIdCharacters = 200;
const maxAboutCharacters = 300;
const maxOutputCharacters = 300;
/** Only this much of a text is looked at: an output can have megabytes. */
const maxReadCharacters = 4_000;

/** Shortens and masks a call, so that it can be kept. */
export function makeStep({ id, tool, about, state, output }: RawStep, time: number): ToolStep {
  return {
    id: id.slice(0, maxIdCharacters),
    tool: flat(tool).slice(0, maxNameCharacters),
    about: startOf(flat(maskSecrets(about.slice(0, maxReadCharacters)))),
    state,
    time,
    // Masked before it is cut: half of a key would not look like one.
    output: endOf(flat(maskSecrets(output.slice(-maxReadCharacters)))),
  };
}

/** One step per call, in the order in which they were seen. A finished state counts more than a start. */
export function mergeSteps(steps: Iterable<ToolStep>): ToolStep[] {
  const merged = new Map<string, ToolStep>();
  for (const step of steps) {
    const known = merged.get(step.id);
    if (!known || (known.state === "started" && step.state !== "started")) merged.set(step.id, step);
  }
  return [...merged.values()];
}

// Control and direction characters of an output must not reach a terminal. Written as ranges, because Unicode classes take a
// millisecond to compile, which every hook would pay.
const flat = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g, " ").trim();

const startOf = (text: string): string =>
  text.length <= maxAboutCharacters ? text : `${text.slice(0, maxAboutCharacters - 1).toWellFormed()}…`;

const endOf = (text: string): string =>
  text.length <= maxOutputCharacters ? text : `…${text.slice(1 - maxOutputCharacters).toWellFormed()}`;

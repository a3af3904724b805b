/** What happened in a part of a conversation that its next reader will not see. All of it is data, shortened. */
export interface Digest {
  /** The user's last words. */
  readonly prompt: string | undefined;
  readonly files: readonly string[];
  readonly commands: readonly { readonly command: string; readonly outcome: "succeeded" | "failed" | "unknown" }[];
  /** Claude's last words. */
  readonly lastWords: string | undefined;
}

export type Interruption = "crash" | "server" | "limit" | "overload" | "interrupted" | "service";

const opening = "[AI-RUNTIME CONTEXT RESTORED]";

/** Whether a prompt is ours, and not the user's words. */
export const isContextMessage = (prompt: string): boolean => prompt.trimStart().startsWith(opening);

/** What the user said of a prompt to which we have added what is known of the work before. */
export function usersWords(prompt: string): string {
  const at = prompt.indexOf(`\n${opening}\n`);
  return at > 0 ? prompt.slice(0, at).trimEnd() : prompt;
}

/** What a run knows of its own work. */
export interface Work {
  readonly task: string;
  /** The last completed one, and how many there were. */
  readonly lastStep: string | undefined;
  readonly steps: number;
  /** Where no step was marked: Claude's last sentence, which says where it stood. */
  readonly lastSentence: string | undefined;
  readonly files: readonly string[];
}

const reasons: Record<Interruption, (program: string) => string> = {
  crash: (program) =>
    `Claude Code ended unexpectedly in the middle of this conversation, and ${program} started it again.`,
  server: (program) => `The API failed, which ended Claude Code, and ${program} started it again.`,
  limit: (program) => `The usage limit ended Claude Code; it has reset, and ${program} started it again.`,
  interrupted: (program) => `This work was interrupted, and ${program} goes on with it now.`,
  service: () => "The service that holds this conversation was started again while you were at work.",
  overload: (program) =>
    `This conversation no longer fitted the context. ${program} put it back to an earlier point; what came after that point is not above.`,
};

/** What Claude is told when a conversation goes on by itself. */
export function contextMessage(why: Interruption, after: Digest | undefined, work?: Work): string {
  const lines = [opening, reasons[why](work ? "ai-runtime" : "cclaude")];
  if (work) lines.push(...describeWork(work));
  if (after) lines.push(...describe(after));
  lines.push(
    "",
    after
      ? "These things are done: do not do them again, but check their results where you need them. Continue the task."
      : "Continue the task where it stopped; do not repeat what is done. The last step may be unfinished: check before you go on.",
  );
  return lines.join("\n");
}

/** For a task that has to begin anew because its conversation is gone: the task, and below it what had been done for it. */
export function beginAgain(work: Work): string {
  const isUntouched = work.lastStep === undefined && work.lastSentence === undefined && work.files.length === 0;
  if (isUntouched) return work.task;
  return [
    work.task,
    "",
    opening,
    "An earlier conversation about this task is lost. This is what ai-runtime knows of it.",
    ...describeProgress(work),
    "",
    "Do not do again what is done: look at what is there before you go on.",
  ].join("\n");
}

const most = { files: 50, task: 2_000 };

const describeWork = (work: Work): string[] => [
  "",
  "The task of this run is:",
  quote(shorten(work.task, most.task)),
  ...describeProgress(work),
];

function describeProgress({ lastStep, steps, lastSentence, files }: Work): string[] {
  const lines: string[] = [];
  lines.push("", lastStep === undefined ? "No step was marked as completed yet." : `Last completed step: ${lastStep}`);
  if (lastSentence !== undefined) lines.push("Your last words were:", quote(lastSentence));
  if (steps > 1) lines.push(`(${steps} steps are completed.)`);
  if (files.length > 0)
    lines.push("", "Files modified so far:", ...files.slice(-most.files).map((file) => `- ${file}`));
  return lines;
}

/** All of it is in the conversation above; here it is only to be recognised. */
const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

function describe({ prompt, files, commands, lastWords }: Digest): string[] {
  const lines: string[] = [];
  if (prompt !== undefined) lines.push("", "The user's last message was:", quote(prompt));
  if (files.length > 0) lines.push("", "Files written after that point:", ...files.map((file) => `- ${file}`));
  if (commands.length > 0) {
    lines.push("", "Commands run after that point:");
    lines.push(...commands.map(({ command, outcome }) => `- ${command} (${outcomes[outcome]})`));
  }
  if (lastWords !== undefined) lines.push("", "Your last words were:", quote(lastWords));
  return lines;
}

const outcomes = { succeeded: "succeeded", failed: "failed", unknown: "outcome unknown" } as const;

const quote = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** What happened in a part of a conversation that its next reader will not see. All of it is data, shortened. */
export interface Digest {
  /** The user's last words. */
  readonly prompt: string | undefined;
  readonly files: readonly string[];
  readonly commands: readonly { readonly command: string; readonly outcome: "succeeded" | "failed" | "unknown" }[];
  /** Claude's last words. */
  readonly lastWords: string | undefined;
}

export type Interruption = "crash" | "server" | "limit" | "overload" | "service";

const opening = "[AI-RUNTIME CONTEXT RESTORED]";

const reasons: Record<Interruption, string> = {
  crash: "Claude Code ended unexpectedly in the middle of this conversation, and cclaude started it again.",
  server: "The API failed, which ended Claude Code, and cclaude started it again.",
  limit: "The usage limit ended Claude Code; it has reset, and cclaude started it again.",
  service: "The service that holds this conversation was started again while you were at work.",
  overload:
    "This conversation no longer fitted the context. cclaude put it back to an earlier point; what came after that point is not above.",
};

/** What Claude is told when a conversation goes on by itself. */
export function contextMessage(why: Interruption, after: Digest | undefined): string {
  const lines = [opening, reasons[why]];
  if (after) lines.push(...describe(after));
  lines.push(
    "",
    after
      ? "These things are done: do not do them again, but check their results where you need them. Continue the task."
      : "Continue the task where it stopped; do not repeat what is done. The last step may be unfinished: check before you go on.",
  );
  return lines.join("\n");
}

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

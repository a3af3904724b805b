import type { Part } from "./conversation-entry.ts";

/** What is in a user line is not always what the user typed: Claude Code wraps commands and reminders in tags. */
export function readUserText(text: string): Part[] {
  const trimmed = text.trim();
  if (trimmed === "" || /^<system-reminder>[^]*<\/system-reminder>$/.test(trimmed)) return [];
  const command = tagged(trimmed, "command-name");
  if (command !== undefined && /^<command-(name|message)>/.test(trimmed)) {
    return [{ kind: "text", text: `${command} ${tagged(trimmed, "command-args") ?? ""}`.trim() }];
  }
  const shell = trimmed.startsWith("<bash-input>") ? tagged(trimmed, "bash-input") : undefined;
  if (shell !== undefined) return [{ kind: "text", text: `! ${shell}` }];
  if (!/^<(local-command-std|bash-std)(out|err)>/.test(trimmed)) return [{ kind: "text", text }];
  const output = ["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"]
    .map((tag) => tagged(trimmed, tag) ?? "")
    .filter(Boolean)
    .join("\n");
  return output === "" ? [] : [{ kind: "output", text: output }];
}

function tagged(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1]?.trim();
}

import { asObject, asText, type JsonObject } from "../json-object.ts";
import type { Part } from "./conversation-entry.ts";

/** A user line is not always typed by the user: Claude Code wraps commands and reminders in tags. */
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

/** Whether Claude Code wrote this line because the user interrupted it. */
export function isInterruption(fields: JsonObject): boolean {
  if (fields["type"] !== "user") return false;
  const content = asObject(fields["message"])?.["content"];
  const first = Array.isArray(content) ? asText(asObject(content[0])?.["text"]) : asText(content);
  return first?.startsWith("[Request interrupted by user") ?? false;
}

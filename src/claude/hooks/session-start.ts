import { asObject, asText } from "../json-object.ts";
import type { HookPayload } from "./hook-payload.ts";

/** How a session started, as far as it matters for showing a checkpoint. */
export type SessionStart = "compacted" | "new" | "cleared" | "resumed";

export function sessionStartOf({ source }: HookPayload): SessionStart {
  switch (source) {
    case "compact":
      return "compacted";
    case "startup":
      return "new";
    case "clear":
      return "cleared";
    default:
      return "resumed";
  }
}

/** The same output with more context; `output` is what sessionStartOutput made. */
export function withContext(output: string | undefined, context: string): string {
  const fields = output === undefined ? undefined : asObject(JSON.parse(output));
  const present = asText(asObject(fields?.["hookSpecificOutput"])?.["additionalContext"]);
  const joined = [present, context].filter((text) => text !== undefined).join("\n\n");
  return sessionStartOutput({ line: asText(fields?.["systemMessage"]), context: joined });
}

/** What a SessionStart hook prints: `line` is shown to the user, `context` is added to the conversation. */
export function sessionStartOutput({ line, context }: { line?: string | undefined; context: string }): string {
  return JSON.stringify({
    ...(line === undefined ? {} : { systemMessage: line }),
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: context },
  });
}

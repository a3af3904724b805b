import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const words = "The tests pass now, and I continue with the next step. ";
/** Resembles source files: many short lines, quotes, and some non-ASCII characters. */
const source = Array.from({ length: 80 }, (_, line) => `\tconst total${line} = "${words}"; // — ${line}\n`).join("");

/** A conversation in Claude's format, as one chain: text, a tool call, its result (stored twice, like Claude does), bookkeeping. */
export function writeConversation(path: string, sessionId: string, bytes: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "w");
  let parentUuid: string | null = null;
  const record = (type: string, message: object, more: object = {}): string => {
    const uuid = randomUUID();
    const common = { timestamp: "2026-11-16T05:00:00.000Z", cwd: "/bench", sessionId, version: "2.1.326" };
    const text = JSON.stringify({ parentUuid, isSidechain: false, type, uuid, ...common, message, ...more });
    parentUuid = uuid;
    return `${text}\n`;
  };
  try {
    for (let written = 0, step = 0; written < bytes; step++) {
      const id = `toolu_${step}`;
      const stdout = source.slice(step % 1_000, (step % 1_000) + 4_000);
      const message = { id: `msg_${step}`, role: "assistant", usage: { input_tokens: 12 } };
      const call = { type: "tool_use", id, name: "Bash", input: { command: "cat src/cart.ts" } };
      const result = { tool_use_id: id, type: "tool_result", content: stdout };
      const lines = [
        record("assistant", { ...message, content: [{ type: "text", text: words.repeat(6) }] }),
        record("assistant", { ...message, content: [call] }),
        record("user", { role: "user", content: [result] }, { toolUseResult: { stdout, stderr: "" } }),
        `${JSON.stringify({ type: "last-prompt", lastPrompt: "continue", leafUuid: parentUuid, sessionId })}\n`,
      ];
      written += writeSync(fd, lines.join(""));
    }
  } finally {
    closeSync(fd);
  }
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CheckpointFiles } from "./checkpoint-files.ts";
import { InstalledWorld } from "./installed-world.ts";

/** Calls `ai-runtime` with the hook payloads and status lines that Claude would send, without Claude. */
export class CheckpointWorld extends InstalledWorld {
  readonly files = new CheckpointFiles(join(this.home, ".claude"));

  constructor() {
    super();
    mkdirSync(this.projectDirectory(), { recursive: true });
  }

  projectDirectory(directory: string = this.directory): string {
    return join(this.files.memory(directory), "..");
  }

  payload(sessionId: string, event: string, more: object = {}, directory: string = this.directory): string {
    return JSON.stringify({
      session_id: sessionId,
      transcript_path: join(this.projectDirectory(directory), `${sessionId}.jsonl`),
      cwd: directory,
      hook_event_name: event,
      ...more,
    });
  }

  /** Returns what the hook printed. Fails if the hook exits with an error or writes to stderr, which would disturb Claude. */
  async hook(sessionId: string, event: string, more: object = {}, directory?: string): Promise<string> {
    const result = await this.runWith(this.payload(sessionId, event, more, directory), ["hook"]);
    if (result.exitCode !== 0 || result.stderr !== "")
      throw new Error(`the hook disturbed Claude: ${JSON.stringify(result)}`);
    return result.stdout;
  }

  prompt(sessionId: string, prompt: string): Promise<string> {
    return this.hook(sessionId, "UserPromptSubmit", { prompt });
  }

  tool(sessionId: string, tool: string, input: object, response: object = {}): Promise<string> {
    return this.hook(sessionId, "PostToolUse", { tool_name: tool, tool_input: input, tool_response: response });
  }

  /** What a new session receives: the line for the user and the context for Claude; undefined for nothing. */
  async startSession(
    sessionId: string,
    { source = "startup", directory = this.directory }: { source?: string; directory?: string } = {},
  ): Promise<{ line: string | undefined; context: string } | undefined> {
    const printed = await this.hook(sessionId, "SessionStart", { source }, directory);
    if (printed === "") return undefined;
    const { systemMessage, hookSpecificOutput } = JSON.parse(printed) as {
      systemMessage?: string;
      hookSpecificOutput: { hookEventName: string; additionalContext: string };
    };
    return { line: systemMessage, context: hookSpecificOutput.additionalContext };
  }
}

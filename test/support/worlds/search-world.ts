import { appendFileSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { HookWorld } from "./hook-world.ts";

export interface FoundResult {
  readonly session: string;
  readonly title: string | null;
  readonly project: string;
  readonly time: string;
  readonly role: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly exitStatus: number | null;
  readonly snippet: string;
  readonly place: string;
  readonly generation: number | null;
  readonly entry: string;
  readonly resume: string;
  readonly view: string | null;
}

/** What is said in a conversation: by the user, by Claude, or a command with its output and exit status. */
export type Said =
  | { readonly user: string }
  | { readonly claude: string }
  | { readonly command: string; readonly output: string; readonly exit?: number }
  | { readonly compacted: string };

/** A home with conversations, and the search of the built executable. */
export class SearchWorld extends HookWorld {
  readonly #last = new Map<string, string>();

  /** Appends to a conversation as Claude does. `ago`: how old it is, in days. */
  say(sessionId: string, said: readonly Said[], { ago = 0, cwd = "/work/shop" } = {}): void {
    const time = Date.now() - ago * 86_400_000;
    const timestamp = new Date(time).toISOString();
    const text = said.flatMap((each) => this.#entries(sessionId, each, { timestamp, cwd, sessionId })).join("");
    appendFileSync(this.transcript(sessionId), text);
    utimesSync(this.transcript(sessionId), time / 1_000, time / 1_000);
  }

  /** A file beside the transcript, such as a subagent's. */
  sideFile(sessionId: string, name: string, text: string): void {
    const path = join(this.project, sessionId, name);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, text);
  }

  async search(...words: string[]): Promise<FoundResult[]> {
    const { stdout, stderr, exitCode } = await this.run(["search", ...words, "--json"]);
    if (exitCode !== 0 && exitCode !== 4) throw new Error(`search: exit code ${exitCode}, ${stderr}`);
    return (JSON.parse(stdout) as { results: FoundResult[] }).results;
  }

  get index(): string {
    return join(this.files.root, "index.sqlite");
  }

  lines(sessionId: string): string[] {
    return readFileSync(this.transcript(sessionId), "utf8").trimEnd().split("\n");
  }

  /** After a test has replaced the transcript: the next entry begins anew. */
  forget(sessionId: string): void {
    this.#last.delete(sessionId);
  }

  #entries(sessionId: string, said: Said, common: object): string[] {
    const entry = (type: string, content: unknown, more: object = {}): string => {
      const uuid = randomUUID();
      const parentUuid = this.#last.get(sessionId) ?? null;
      this.#last.set(sessionId, uuid);
      const role = type === "assistant" ? "assistant" : "user";
      const message = type === "system" ? {} : { message: { role, content } };
      return `${JSON.stringify({ parentUuid, isSidechain: false, type, uuid, ...common, ...message, ...more })}\n`;
    };
    if ("user" in said) return [entry("user", said.user)];
    if ("claude" in said) return [entry("assistant", [{ type: "text", text: said.claude }])];
    if ("compacted" in said) {
      return [
        entry("system", undefined, { subtype: "compact_boundary", content: "Conversation compacted" }),
        entry("user", said.compacted, { isCompactSummary: true }),
      ];
    }
    const id = `toolu_${randomUUID()}`;
    const failed = said.exit !== undefined && said.exit !== 0;
    const content = failed ? `Exit code ${said.exit}\n${said.output}` : said.output;
    return [
      entry("assistant", [{ type: "tool_use", id, name: "Bash", input: { command: said.command } }]),
      entry("user", [{ type: "tool_result", tool_use_id: id, content, is_error: failed }]),
    ];
  }
}

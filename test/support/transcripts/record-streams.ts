// Records the output of `claude -p --output-format stream-json` from a real client: one stream for each way to end.
import type { ClaudeVersion } from "../sandbox/claude-versions.ts";
import { fakeAnthropic } from "../anthropic/fake-anthropic.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Customer } from "../sandbox/sandbox-environment.ts";
import { type Story, story } from "../anthropic/scenario.ts";

interface Part {
  readonly story: () => Story;
  readonly flags?: readonly string[];
  readonly as?: Customer;
}

/** Far enough in the future that every client prints a date with a year. */
export const farReset = Date.parse("2030-01-01T12:00:00Z");
const resetsAt = farReset / 1000;

/** Claude's answer in the stream "talks-of-limits". */
export const limitTalk = "You've hit your limit · resets 10pm (UTC)";

const always = { times: Infinity };
const write = { file_path: "notes.md", content: "# Notes\n" };
const usage = { input: 1_000, output: 1_000 };

export const streamParts = {
  done: {
    story: () =>
      story()
        .callsTool("Write", write, { saying: "I write the notes.", usage })
        .callsTool("Bash", { command: "ls no-such-file" }, { saying: "<!-- CHECKPOINT: notes written -->" })
        .says("All done.\n<!-- CHECKPOINT: looked around -->", {
          limit: { resetsAt, utilization: 0.97, surpassedThreshold: 0.9 },
        }),
  },
  tasks: {
    story: () =>
      story()
        .callsTool("TodoWrite", { todos: [todo("Write the notes", "completed"), todo("Read them", "in_progress")] })
        .callsTool("TaskCreate", { subject: "Look around", description: "Look", activeForm: "Looking around" })
        .callsTool("TaskUpdate", { taskId: "1", status: "completed" })
        .says("Done."),
  },
  "talks-of-limits": { story: () => story().says(limitTalk) },
  recovered: { story: () => story().fails.overloaded().says("All done.") },
  limit: {
    story: () =>
      story()
        .callsTool("Write", write)
        .fails.limit({ resetsAt, ...always }),
  },
  "key-limit": { story: () => story().fails.apiKeyLimit(always), as: "api-key" },
  overloaded: { story: () => story().fails.overloaded(always) },
  dropped: { story: () => story().drops(always) },
  "too-long": {
    story: () =>
      story()
        .fails.promptTooLong(always)
        .whenCompacting(() => tooLong),
  },
  unauthorized: { story: () => story().fails.unauthorized(always) },
  credit: { story: () => story().fails.creditBalance(always), as: "api-key" },
  turns: { story: () => story().callsTool("Write", write, always), flags: ["--max-turns", "1"] },
  budget: {
    story: () => story().callsTool("Write", write, { ...always, usage }),
    flags: ["--max-budget-usd", "0.0001"],
  },
} as const satisfies Record<string, Part>;

export type StreamName = keyof typeof streamParts;
export const streamNames = Object.keys(streamParts) as StreamName[];

const tooLong = {
  kind: "failure",
  status: 400,
  type: "invalid_request_error",
  message: "prompt is too long: 210000 tokens > 200000 maximum",
  headers: {},
} as const;

const todo = (content: string, status: string) => ({ content, status, activeForm: content });

export interface RecordedStream {
  readonly stream: string;
  readonly transcript: string;
  readonly exitCode: number | null;
}

export async function recordStream(version: ClaudeVersion, name: StreamName): Promise<RecordedStream> {
  const part: Part = streamParts[name];
  await using api = await fakeAnthropic(part.story());
  await using sandbox = await createSandbox({ claude: version });
  const fixed = ["--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"];
  const options = part.as === undefined ? {} : { as: part.as };
  const { stdout, exitCode } = await sandbox.claude(
    api,
    ["-p", "Write the notes", ...fixed, ...(part.flags ?? [])],
    options,
  );
  const [path] = await sandbox.transcripts();
  const clean = (text: string): string =>
    text.replaceAll(sandbox.root, "/sandbox").replaceAll(new URL(api.url).host, "api");
  return {
    stream: clean(stdout).replaceAll(/^.+$/gm, shorten),
    transcript: path === undefined ? "" : clean(await Bun.file(path).text()),
    exitCode,
  };
}

/** Keeps one entry of the client's long lists of tools and commands, which no test reads. */
function shorten(line: string): string {
  const record = JSON.parse(line) as { readonly type: string; readonly subtype?: string };
  if (record.type !== "system") return line;
  return JSON.stringify(record, (_key, value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : value));
}

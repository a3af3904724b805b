// Records a short conversation of a real client with everything that a reader of transcripts must understand.
import type { ClaudeVersion } from "../sandbox/claude-versions.ts";
import { fakeAnthropic } from "../anthropic/fake-anthropic.ts";
import type { Answer } from "../anthropic/replies.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { type Story, story } from "../anthropic/scenario.ts";

const sessionId = "5f0c1f6e-0000-4000-8000-000000000001";

const twoCallsAtOnce: Answer = {
  kind: "message",
  usage: {},
  stopReason: undefined,
  headers: {},
  ending: "complete",
  blocks: [
    { type: "text", text: "Two looks at once." },
    {
      type: "tool_use",
      id: "toolu_parallel_1",
      name: "Bash",
      input: { command: "echo first; seq 1 60", description: "Count" },
    },
    { type: "tool_use", id: "toolu_parallel_2", name: "Bash", input: { command: "ls no-such-file" } },
  ],
};

/** Returns a transcript with tools, parallel calls, an abandoned branch, a compaction, and an error at the end. */
export async function recordConversation(version: ClaudeVersion): Promise<string> {
  await using api = await fakeAnthropic();
  await using sandbox = await createSandbox({ claude: version });
  const say = async (prompt: string, replies: Story, flags: readonly string[]): Promise<void> => {
    api.plays(replies);
    await sandbox.claude(api, ["-p", prompt, ...flags, "--dangerously-skip-permissions"]);
  };
  const resume = ["--resume", sessionId];
  const notes = "# Notes\n\n```js\nlet a = 1;\n```\n";
  const work = story()
    .callsTool("Write", { file_path: "notes.md", content: notes }, { saying: "I will write **notes**." })
    .answers(twoCallsAtOnce)
    .callsTool("Edit", { file_path: "notes.md", old_string: "let a = 1;", new_string: "const a = 1;" })
    .says("All done:\n\n- one\n- two");
  await say("Write the notes, then look around", work, ["--session-id", sessionId]);
  const fork = (await sandbox.transcript()).findLast((record) => record.type === "assistant")?.uuid ?? "";
  await say("Try something else", story().says("A branch that will be left."), resume);
  await say("Go on from the notes", story().says("The branch that stays."), [...resume, "--resume-session-at", fork]);
  await say("/compact", story(), resume);
  await say("And now?", story().says("After the compaction."), resume);
  await say("One more", story().fails.overloaded({ times: Infinity }), resume);

  const [path = ""] = await sandbox.transcripts();
  const text = await Bun.file(path).text();
  return text
    .replaceAll(sandbox.root, "/sandbox")
    .replaceAll(sandbox.root.replaceAll(/[^A-Za-z0-9]/g, "-"), "-sandbox")
    .replaceAll(new URL(api.url).host, "api")
    .replaceAll(/^.+$/gm, shorten);
}

/** Shortens the texts of bookkeeping records, which make up most of the file and which no test reads. */
function shorten(line: string): string {
  const record = JSON.parse(line) as { type: string };
  if (["user", "assistant", "system"].includes(record.type)) return line;
  const cut = (_key: string, value: unknown): unknown => (typeof value === "string" ? value.slice(0, 80) : value);
  return JSON.stringify(record, cut);
}

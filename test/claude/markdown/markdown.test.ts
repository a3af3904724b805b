import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type ConversationEntry, readLine } from "../../../src/claude/transcript/conversation-entry.ts";
import { noLimits, readableLimits, renderConversation } from "../../../src/claude/markdown/markdown.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";

function entriesOf(lines: readonly string[]): ConversationEntry[] {
  return lines.flatMap((line) => {
    const reading = readLine(line);
    return reading.kind === "entry" ? [reading.entry] : [];
  });
}

function render(lines: readonly string[], limits = readableLimits): string {
  const clock = (time: number): string => new Date(time).toISOString().slice(11, 19);
  const pieces = [...renderConversation(entriesOf(lines), { limits, showTime: clock })];
  return pieces.map((piece, index) => `${index === 0 || piece.tight ? "" : "\n"}${piece.text}\n`).join("");
}

/** Builds consecutive transcript lines as Claude writes them, with one content block in each. */
function transcript(): Chain {
  return new Chain();
}

class Chain {
  readonly lines: string[] = [];
  #parent: string | null = null;

  add(fields: Record<string, unknown>): this {
    const uuid = `line-${this.lines.length + 1}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1, 12, 0, this.lines.length)).toISOString();
    this.lines.push(JSON.stringify({ uuid, parentUuid: this.#parent, timestamp, isSidechain: false, ...fields }));
    this.#parent = String(fields["uuid"] ?? uuid);
    return this;
  }
  user(content: unknown, fields: Record<string, unknown> = {}): this {
    return this.add({ type: "user", message: { role: "user", content }, ...fields });
  }
  claude(id: string, block: Record<string, unknown>, fields: Record<string, unknown> = {}): this {
    return this.add({ type: "assistant", message: { role: "assistant", id, content: [block] }, ...fields });
  }
  says(id: string, text: string): this {
    return this.claude(id, { type: "text", text });
  }
  calls(id: string, name: string, input: Record<string, unknown>): this {
    return this.claude(`message of ${id}`, { type: "tool_use", id, name, input });
  }
  returns(id: string, content: unknown, failed = false): this {
    return this.user([{ type: "tool_result", tool_use_id: id, content, is_error: failed }]);
  }
}

describe.each([...claudeVersions])("a conversation with Claude Code %s", (version) => {
  const lines = readFileSync(storedTranscript(version), "utf8").split("\n").filter(Boolean);
  const markdown = render(lines).replaceAll(/ · [\d:]{8}/g, "");

  test("reads from the first prompt to the error at its end", () => {
    const order = [
      "## User\n\nWrite the notes, then look around\n\n## Claude\n\nI will write **notes**.\n\n**Write** `notes.md`\n````\n# Notes",
      "let a = 1;\n```\n````\n→ `File created successfully at: notes.md",
      "\n\nTwo looks at once.\n\n**Bash** — Count\n```sh\necho first; seq 1 60\n```\n→ 61 lines\n```\nfirst\n1\n",
      "\n⋯ 43 of 61 lines left out ⋯\n55\n",
      "\n60\n```\n\n**Bash**\n```sh\nls no-such-file\n```\n**failed** 2 lines\n```\nExit code 2\nls: cannot",
      "\n\n**Edit** `notes.md`\n```diff\n-let a = 1;\n+const a = 1;\n```\n→ `The file notes.md has been updated",
      "\n\nAll done:\n\n- one\n- two\n\n## User\n\nGo on from the notes\n\n## Claude\n\nThe branch that stays.\n",
      "\n---\n\n*Context compacted (manual, 110 tokens before)*\n\n*summary that Claude continues from:*\n> This session",
      "> What happened so far, in short.\n",
      "\n## User\n\n/compact\n\n```\nCompacted",
      "\n## User\n\nAnd now?\n\n## Claude\n\nAfter the compaction.\n\n## User\n\nOne more\n\n## Claude\n\n**Error:** API Error: 529",
    ];
    let at = 0;
    for (const expected of order) {
      const found = markdown.indexOf(expected, at);
      expect(found, `${JSON.stringify(expected)} after character ${at} of\n${markdown}`).toBeGreaterThanOrEqual(at);
      at = found + expected.length;
    }
  });

  test("leaves out an abandoned branch and says so", () => {
    expect(markdown).not.toContain("A branch that will be left");
    expect(markdown).toStartWith("*2 messages on abandoned branches (for example after /rewind) not shown.*\n");
  });

  test("shows each call and message once, and no bookkeeping", () => {
    expect(markdown.match(/^\*\*(Write|Bash|Edit)\*\*/gm)).toEqual(["**Write**", "**Bash**", "**Bash**", "**Edit**"]);
    expect(markdown.match(/^## Claude/gm)).toHaveLength(4);
    expect(markdown).not.toContain("No response requested");
    expect(markdown).not.toContain("local-command");
  });

  test("shows all lines and says so when the chain is broken", () => {
    const broken = lines.filter((line) => !line.includes("Go on from the notes"));
    const text = render(broken);
    expect(text).toStartWith("*The lines of this transcript are not connected");
    for (const part of ["look around", "A branch that will be left", "The branch that stays", "One more"]) {
      expect(text).toContain(part);
    }
  });
});

describe("the tree of a transcript", () => {
  const rewound = transcript().user("first").says("a", "one").user("second").says("b", "two");

  test("a new root does not hide the lines before it", () => {
    const lines = [
      ...rewound.lines,
      JSON.stringify({ uuid: "x", parentUuid: null, type: "user", message: { content: "new" } }),
    ];
    expect(render(lines)).toMatch(/are not connected[^]*first[^]*one[^]*second[^]*two[^]*new/);
  });

  test("says so when the first line is lost", () => {
    expect(render(rewound.lines.slice(1))).toMatch(/are not connected[^]*one[^]*second[^]*two/);
  });

  test("a cycle of parents ends", () => {
    const lines = transcript().user("first", { parentUuid: "line-2" }).says("a", "one").lines;
    expect(render(lines)).toMatch(/are not connected[^]*first[^]*one/);
  });

  test("a file that was appended to itself renders like the file", () => {
    expect(render([...rewound.lines, ...rewound.lines])).toBe(render(rewound.lines));
  });

  test("shows parallel calls and their results, although the conversation continues from only one of them", () => {
    const lines = transcript().user("go").lines;
    const call = (uuid: string, parentUuid: string, id: string) =>
      JSON.stringify({
        uuid,
        parentUuid,
        type: "assistant",
        message: { id: "m", content: [{ type: "tool_use", id, name: "Read", input: { file_path: id } }] },
      });
    const result = (uuid: string, parentUuid: string, id: string) =>
      JSON.stringify({
        uuid,
        parentUuid,
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }] },
      });
    lines.push(call("c1", "line-1", "one"), call("c2", "c1", "two"), call("c3", "c2", "three"));
    lines.push(result("r3", "c3", "three"), result("r2", "c2", "two"), result("r1", "c1", "one"));
    expect(render(lines)).toEndWith(
      "## Claude\n\n**Read** `one`\n→ `of one`\n\n**Read** `two`\n→ `of two`\n\n**Read** `three`\n→ `of three`\n",
    );
  });
});

test("joins the lines of one message and hides subagents, meta lines and reminders", () => {
  const { lines } = transcript()
    .user("Hello")
    .user("<system-reminder>\nsecret\n</system-reminder>")
    .user("caveat", { isMeta: true })
    .user(" \n")
    .claude("m", { type: "thinking", thinking: "hidden" })
    .says("m", "One.")
    .says("m", "Two.");
  lines.splice(
    2,
    0,
    JSON.stringify({ uuid: "s", parentUuid: null, isSidechain: true, type: "user", message: { content: "aside" } }),
  );
  expect(render(lines)).toBe("## User · 12:00:00\n\nHello\n\n## Claude · 12:00:05\n\nOne.\n\nTwo.\n");
});

test("shows queued prompts and commands as typed, and command output as a block", () => {
  const { lines } = transcript()
    .add({ type: "attachment", attachment: { type: "queued_command", prompt: "faster", commandMode: "prompt" } })
    .user(
      "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>",
    )
    .user("<local-command-stdout>Set model to \u001b[1mopus\u001b[22m</local-command-stdout>")
    .user("<bash-input>ls</bash-input>");
  expect(render(lines).replaceAll(/ · [\d:]{8}/g, "")).toBe(
    "## User\n\nfaster\n\n## User\n\n/model opus\n\n```\nSet model to opus\n```\n\n## User\n\n! ls\n",
  );
});

describe("tool calls", () => {
  const shown = (name: string, input: Record<string, unknown>, content: unknown = "ok", failed = false): string =>
    render(transcript().calls("id", name, input).returns("id", content, failed).lines)
      .replace(/^## Claude.*\n\n/, "")
      .replace(/ · [\d:]{8}/, "");

  test.each<[string, Record<string, unknown>, unknown, string]>([
    ["Bash", { command: "ls", description: "Look" }, "", "**Bash** — Look\n```sh\nls\n```\n*→ no output*\n"],
    ["Bash", { command: "ls", timeout: 5 }, "a", "**Bash**\n```sh\nls\n```\n`timeout: 5`\n→ `a`\n"],
    ["Grep", { pattern: "a`b", "-i": false }, "x", "**Grep** ``a`b``\n→ `x`\n"],
    ["Write", { file_path: "a", content: "````" }, "x", "**Write** `a`\n`````\n````\n`````\n→ `x`\n"],
    ["Edit", { file_path: "a", old_string: "", new_string: "b\n" }, "x", "**Edit** `a`\n```diff\n+b\n```\n→ `x`\n"],
    [
      "Task",
      { list: [1] },
      [{ type: "image" }],
      '**Task**\n```json\n{\n  "list": [\n    1\n  ]\n}\n```\n→ `[image]`\n',
    ],
    ["TodoWrite", { todos: [{ content: "a", status: "completed" }] }, "x", "**TodoWrite**\n```\n[x] a\n```\n→ `x`\n"],
  ])("%s %j", (name, input, content, expected) => {
    expect(shown(name, input, content)).toBe(expected);
  });

  test("says when a call failed or has no result", () => {
    expect(shown("Bash", {}, "<tool_use_error>no</tool_use_error>", true)).toBe("**Bash**\n**failed** `no`\n");
    expect(render(transcript().calls("id", "Bash", {}).lines)).toEndWith("\n*no result*\n");
  });

  test("cuts a long result in the middle and a long line at its end, and says by how much", () => {
    const long = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
    expect(shown("Bash", {}, long)).toMatch(
      /→ 100 lines\n```\nline 0\n[^]*line 11\n⋯ 82 of 100 lines left out ⋯\nline 94\n/,
    );
    expect(shown("Bash", {}, "x".repeat(1_000))).toContain(`\n${"x".repeat(200)} ⋯ 800 more characters left out ⋯\n`);
    const { lines } = transcript().calls("id", "Bash", {}).returns("id", long);
    expect(render(lines, noLimits)).toContain(`\n${long}\n`);
  });
});

test("closes an open fence, so that the following text is not part of it", () => {
  expect(render(transcript().says("m", "Look:\n\n```js\nlet a").user("Yes").lines)).toContain("let a\n```\n\n## User");
});

test("no text in a transcript can control the terminal", () => {
  const evil = "a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\u202ee\u0008f\rg\u0000h\u001bPq\u001b\\i\u2028j";
  const name = "Ba\u001b[2Jsh";
  const { lines } = transcript()
    .user(evil)
    .says("m", evil)
    .calls("id", name, { command: evil, description: evil, other: { [evil]: evil } })
    .returns("id", evil, true)
    .claude("n", { type: "text", text: evil }, { isApiErrorMessage: true })
    .add({ type: "system", subtype: "compact_boundary", compactMetadata: { trigger: evil } })
    .user(evil, { isCompactSummary: true });
  const text = render(lines);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028]/);
  expect(text).toContain("\nabcdef\nghi\nj\n");
  expect(text).toContain("**Bash** — abcdef ghi j");
});

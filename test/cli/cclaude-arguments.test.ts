// What a claude is really given: recorded by one that writes its arguments down, at the first start and at the restart.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allHookEntries, type HookEntry, snapshotHookEntries } from "../../src/claude/hook-entries.ts";
import { executable } from "../support/executable.ts";

setDefaultTimeout(60_000);

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "arguments-")));
const home = join(scratch, "home");
const claude = join(scratch, "claude");
const sessionId = "11111111-2222-4333-8444-555555555555";
const project = join(scratch, "project");
const transcripts = join(home, ".claude/projects", project.replaceAll(/[^A-Za-z0-9]/g, "-"));

/** Says what it was given, one record a start; the first start leaves a conversation behind and dies by a signal. */
const recording = `#!/bin/sh
n=0; while [ -e "$RECORD.$n" ]; do n=$((n+1)); done
for word in "$@"; do printf '%s\\0' "$word"; done > "$RECORD.$n"
[ $n -gt 0 ] && exit 7
now=$(date -u +%Y-%m-%dT%H:%M:%S.999Z)
printf '{"type":"user","uuid":"u","parentUuid":null,"timestamp":"%s","message":{"role":"user","content":"hi"}}\\n' "$now" > "$TRANSCRIPT"
printf '{"type":"assistant","uuid":"a","parentUuid":'"$PARENT"',"timestamp":"%s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}\\n' "$now" >> "$TRANSCRIPT"
mkdir -p "$HOME/.claude/sessions"
printf '{"pid":%s,"sessionId":"${sessionId}"}' $$ > "$HOME/.claude/sessions/$$.json"
kill -9 $$
`;

beforeAll(() => {
  for (const directory of [home, project, transcripts]) mkdirSync(directory, { recursive: true });
  writeFileSync(claude, recording);
  chmodSync(claude, 0o755);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let runs = 0;

function start(
  argv: readonly string[],
  settings: object,
  parent = '"u"',
): { exitCode: number | null; starts: string[][]; stderr: string } {
  const record = join(scratch, `record-${runs++}`);
  rmSync(transcripts, { recursive: true, force: true });
  mkdirSync(transcripts, { recursive: true });
  rmSync(join(home, ".claude/sessions"), { recursive: true, force: true });
  writeFileSync(join(home, ".claude/settings.json"), JSON.stringify(settings));
  const child = Bun.spawnSync([executable, "cclaude", ...argv], {
    cwd: project,
    stdin: "ignore",
    env: {
      HOME: home,
      PATH: "/usr/bin:/bin",
      CCLAUDE_CLAUDE_BIN: claude,
      CCLAUDE_RETRY_SECONDS: "0",
      RECORD: record,
      PARENT: parent,
      TRANSCRIPT: join(transcripts, `${sessionId}.jsonl`),
    },
  });
  const starts: string[][] = [];
  while (existsSync(`${record}.${starts.length}`)) {
    starts.push(readFileSync(`${record}.${starts.length}`, "utf8").split("\0").slice(0, -1));
  }
  return { exitCode: child.exitCode, starts, stderr: child.stderr.toString() };
}

const settingsWith = (entries: readonly HookEntry[]) => ({
  hooks: Object.fromEntries(entries.map(({ event, matcher, hook }) => [event, [{ matcher, hooks: [hook] }]])),
});
const installed = settingsWith(snapshotHookEntries({ executable, version: undefined }));

/** What was given, and what of it holds for the restart; `null` when such a run is never started again. */
const vectors: [given: string[], kept: string[] | null][] = [
  [[], []],
  [["hello"], []],
  [["-p", "hello"], ["-p"]],
  [["hello", "-p"], ["-p"]],
  [["--print", "hello world"], ["--print"]],
  [["-p", 'it\'s "quoted"\nand broken'], ["-p"]],
  [["-p", ""], ["-p"]],
  [["-p", "--", "--hello"], ["-p"]],
  [
    ["--model", "opus", "hello"],
    ["--model", "opus"],
  ],
  [["--model=opus", "hello"], ["--model=opus"]],
  [
    ["-m", "opus"],
    ["-m", "opus"],
  ],
  [["-c"], []],
  [["--continue", "go on"], []],
  [["-pc", "go on"], ["-p"]],
  [["-r", sessionId, "go on"], []],
  [["-r"], []],
  [["--resume"], []],
  [["--resume", sessionId], []],
  [[`--resume=${sessionId}`, "go on"], []],
  [["-pr", sessionId, "go on"], ["-p"]],
  [["--session-id", sessionId, "-p", "hi"], ["-p"]],
  [["--resume", sessionId, "--fork-session", "-p", "hi"], ["-p"]],
  [["--from-pr", "12"], []],
  [["--worktree", "feature", "hi"], []],
  [["-w"], []],
  [
    ["--dangerously-skip-permissions", "-p", "hi"],
    ["--dangerously-skip-permissions", "-p"],
  ],
  [
    ["--permission-mode", "plan", "hi"],
    ["--permission-mode", "plan"],
  ],
  [
    ["--allowedTools", "Bash(git *)", "Edit", "--", "hi"],
    ["--allowedTools", "Bash(git *)", "Edit"],
  ],
  [
    ["--allowedTools", "Bash Edit", "-p", "hi"],
    ["--allowedTools", "Bash Edit", "-p"],
  ],
  [["--allowed-tools=Bash", "hi"], ["--allowed-tools=Bash"]],
  [
    ["--disallowedTools", "Write", "Edit"],
    ["--disallowedTools", "Write", "Edit"],
  ],
  [
    ["--add-dir", "../a b", "/c", "-p", "hi"],
    ["--add-dir", "../a b", "/c", "-p"],
  ],
  [
    ["--mcp-config", "a.json", '{"mcpServers":{}}'],
    ["--mcp-config", "a.json", '{"mcpServers":{}}'],
  ],
  [
    ["--append-system-prompt", "Be brief.\nAlways.", "hi"],
    ["--append-system-prompt", "Be brief.\nAlways."],
  ],
  [
    ["--system-prompt", "-p", "-p", "hi"],
    ["--system-prompt", "-p", "-p"],
  ],
  [
    ["-p", "hi", "--output-format", "stream-json", "--verbose"],
    ["-p", "--output-format", "stream-json", "--verbose"],
  ],
  [
    ["--output-format=json", "-p", "hi"],
    ["--output-format=json", "-p"],
  ],
  [
    ["--agents", '{"a":{"prompt":"x y"}}', "hi"],
    ["--agents", '{"a":{"prompt":"x y"}}'],
  ],
  [
    ["-d", "api,hooks", "hi"],
    ["-d", "api,hooks"],
  ],
  [
    ["--debug", "-p", "hi"],
    ["--debug", "-p"],
  ],
  [
    ["-n", "my name", "hi"],
    ["-n", "my name"],
  ],
  [
    ["--plugin-dir", "a", "--plugin-dir", "b", "hi"],
    ["--plugin-dir", "a", "--plugin-dir", "b"],
  ],
  [
    ["--max-turns", "3", "-p", "hi"],
    ["--max-turns", "3", "-p"],
  ],
  [["--file", "id:a", "id:b", "-p", "hi"], ["-p"]],
  [
    ["--from-the-future", "maybe a value", "-p", "hi"],
    ["--from-the-future", "maybe a value", "-p"],
  ],
  [["--from-the-future=1", "hi"], ["--from-the-future=1"]],
  [["-p", "hi", "--no-session-persistence"], null],
  [["--bg", "hi"], null],
  [["mcp", "add", "x", "--", "node", "y.js"], null],
  [["plugin", "install", "a b"], null],
  [["-v"], null],
];

test("the hooks of ai-runtime install are ours as well: claude gets exactly the words that were typed", () => {
  const everything = settingsWith(allHookEntries({ executable, version: undefined }));
  const given = ["-p", "hi", "--model", "opus"];
  expect(start(given, everything).starts[0]).toEqual(given);
});

test("a transcript that broke is repaired before it is resumed, which is said in one line and can be undone", () => {
  const { starts, stderr } = start(["-p", "hi"], installed, "null");
  expect(starts).toHaveLength(2);
  expect(stderr.split("\n")[1]).toBe(
    `cclaude: the transcript was damaged and is repaired (session-snapshot undo ${sessionId} brings it back as it was)`,
  );
  const records = readFileSync(join(transcripts, `${sessionId}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  expect(records.map((line) => (JSON.parse(line) as { parentUuid: string | null }).parentUuid)).toEqual([null, "u"]);
});

describe("with our hooks installed", () => {
  test.each(vectors)("%j", (given, kept) => {
    const { exitCode, starts, stderr } = start(given, installed);
    expect(starts[0]).toEqual(given);
    if (kept === null) {
      expect({ exitCode, stderr }).toEqual({ exitCode: null, stderr: "" } as never);
      expect(starts).toHaveLength(1);
      return;
    }
    expect(exitCode).toBe(7);
    expect(starts).toHaveLength(2);
    const [resume, id, prompt, ...rest] = starts[1] ?? [];
    expect([resume, id]).toEqual(["--resume", sessionId]);
    expect(prompt).toStartWith("[AI-RUNTIME CONTEXT RESTORED]\n");
    expect(rest).toEqual(kept);
    expect(stderr).toBe(`cclaude: claude ended unexpectedly (SIGKILL); resuming session ${sessionId}\n`);
  });
});

describe("without our hooks, --settings brings them along", () => {
  const hooksOf = (argv: readonly string[] = []) => {
    const at = argv.indexOf("--settings");
    const settings = JSON.parse(argv[at + 1] ?? "null") as Record<string, unknown> | null;
    return { settings, others: [...argv.slice(0, at), ...argv.slice(at + 2)] };
  };

  test("for the first start and the next, and the other words are as they were", () => {
    const { starts } = start(["-p", "a b", "--model", "opus"], {});
    const first = hooksOf(starts[0]);
    expect(first.settings).toEqual({ hooks: installed.hooks });
    expect(first.others).toEqual(["-p", "a b", "--model", "opus"]);
    expect(hooksOf(starts[1]).settings).toEqual(first.settings);
    expect(hooksOf(starts[1]).others.slice(3)).toEqual(["-p", "--model", "opus"]);
  });

  test("together with the user's own, given as JSON or as a file", () => {
    const mine = { type: "command", command: "mine" };
    const own = { model: "opus", hooks: { Stop: [{ matcher: "", hooks: [mine] }] } };
    const path = join(scratch, "own settings.json");
    writeFileSync(path, JSON.stringify(own));
    for (const words of [["--settings", JSON.stringify(own)], ["--settings", path], [`--settings=${path}`]]) {
      const { settings, others } = hooksOf(start(["-p", ...words, "hi"], {}).starts[0]);
      expect(settings?.["model"]).toBe("opus");
      const { Stop: stop } = (settings?.["hooks"] ?? {}) as Record<string, unknown[]>;
      expect(stop?.[0]).toEqual({ matcher: "", hooks: [mine] });
      expect(stop).toHaveLength(2);
      expect(others).toEqual(["-p", "hi"]);
    }
  });

  test.each([
    ["hooks switched off on the command line", ["--bare", "-p", "hi"], {}],
    ["hooks switched off in the settings", ["-p", "hi"], { disableAllHooks: true }],
    ["settings given twice", ["--settings", "{}", "--settings", '{"a":1}', "-p", "hi"], {}],
    ["settings that cannot be read", ["--settings", "/no/such/file", "-p", "hi"], {}],
    ["settings that are no JSON", ["--settings", "{", "-p", "hi"], {}],
  ])("but not with %s", (_, given, settings) => {
    expect(start(given, settings).starts[0]).toEqual(given);
  });
});

describe("how it ends", () => {
  const wayOut = (name: string, script: string, env: Record<string, string> = {}) => {
    const bin = join(scratch, name);
    writeFileSync(bin, `#!/bin/sh\nprintf x >> ${bin}.starts\n${script}\n`);
    chmodSync(bin, 0o755);
    rmSync(`${bin}.starts`, { force: true });
    rmSync(join(home, ".config"), { recursive: true, force: true });
    rmSync(transcripts, { recursive: true, force: true });
    mkdirSync(transcripts, { recursive: true });
    rmSync(join(home, ".claude/sessions"), { recursive: true, force: true });
    writeFileSync(join(home, ".claude/settings.json"), JSON.stringify(installed));
    const { exitCode, signalCode, stdout, stderr } = Bun.spawnSync([executable, "cclaude", "-p", "hi"], {
      cwd: project,
      stdin: "ignore",
      env: { HOME: home, PATH: "/usr/bin:/bin", CCLAUDE_CLAUDE_BIN: bin, CCLAUDE_RETRY_SECONDS: "0", ...env },
    });
    const starts = readFileSync(`${bin}.starts`, "utf8").length;
    return { exitCode, signalCode, stdout: stdout.toString(), stderr: stderr.toString(), starts };
  };
  const transcript = join(transcripts, `${sessionId}.jsonl`);
  // To the millisecond, which not every date tells: what one start has said is no answer to the next.
  const now = `$("${process.execPath}" -e 'console.log(new Date().toISOString())')`;
  const listed = `mkdir -p "$HOME/.claude/sessions"
printf '{"pid":%s,"sessionId":"${sessionId}"}' $$ > "$HOME/.claude/sessions/$$.json"`;
  /** A prompt, and an answer that says how full the context was. */
  const conversation = (tokens: number): string => `${listed}
printf '{"type":"user","uuid":"u","parentUuid":null,"timestamp":"%s","message":{"role":"user","content":"hi"}}\\n' "${now}" > ${transcript}
printf '{"type":"assistant","uuid":"a","parentUuid":"u","timestamp":"%s","message":{"role":"assistant","usage":{"input_tokens":${tokens}},"content":[{"type":"text","text":"ok"}]}}\\n' "${now}" >> ${transcript}`;

  test("one that dies again and again without an answer is given up, with how to go on", () => {
    const ended = wayOut("dying", `[ -e ${transcript} ] || { ${conversation(1_000)}\n}\n${listed}\nkill -9 $$`);
    expect(ended).toMatchObject({ signalCode: "SIGKILL", stdout: "", starts: 4 });
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(4);
    expect(ended.stderr).toEndWith(`nothing is lost. Go on with: cclaude --resume ${sessionId}\n`);
  });

  /** A mark, then 150 kB more with a context that is full, then the end. */
  const overloading = (end: string): string => `[ -e ${transcript} ] && exit 0
${conversation(50_000)}
printf '{"session_id":"${sessionId}","transcript_path":"${transcript}","hook_event_name":"PreCompact"}' | ${executable} session-snapshot hook
long=$(printf '%0150000d' 1)
printf '{"type":"assistant","uuid":"b","parentUuid":"a","timestamp":"%s","message":{"role":"assistant","usage":{"input_tokens":190000},"content":[{"type":"text","text":"%s"}]}}\\n' "${now}" "$long" >> ${transcript}
${end}`;

  test("one that dies after more than 100 kB since a mark, its context full, goes back to the mark", () => {
    const ended = wayOut("overloaded", overloading("kill -9 $$"));
    expect(ended).toMatchObject({ exitCode: 0, starts: 2 });
    expect(ended.stderr).toMatch(/^cclaude: the conversation outgrew its context; went back to mark 1 of /);
    expect(readFileSync(transcript, "utf8").split("\n")).toHaveLength(3);
  });

  test("the same growth, and the user left: nothing is restored", () => {
    const left = `printf '{"session_id":"${sessionId}","transcript_path":"${transcript}","hook_event_name":"SessionEnd","reason":"prompt_input_exit"}' | ${executable} session-snapshot hook; kill -9 $$`;
    const ended = wayOut("left", overloading(left));
    expect(ended).toMatchObject({ signalCode: "SIGKILL", starts: 1, stderr: "" });
    expect(readFileSync(transcript).length).toBeGreaterThan(150_000);
  });
});

test("a cclaude that is killed with its claude leaves its flags, and --explain how to go on", async () => {
  const env = { HOME: home, PATH: "/usr/bin:/bin", CCLAUDE_CLAUDE_BIN: join(scratch, "killer") };
  const pending = join(home, ".config/session-snapshot/pending-flags.txt");
  writeFileSync(env.CCLAUDE_CLAUDE_BIN, `#!/bin/sh\nwhile [ ! -s ${pending} ]; do sleep 0.02; done\nkill -9 $PPID\n`);
  chmodSync(env.CCLAUDE_CLAUDE_BIN, 0o755);
  const words = ["--append-system-prompt", 'it\'s "a b"\nc', "-p", "hi"];
  const child = Bun.spawn([executable, "cclaude", ...words], { cwd: project, env, stdin: "ignore" });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const { stdout } = Bun.spawnSync([executable, "cclaude", "--explain"], { cwd: project, env });
  expect(stdout.toString()).toContain(
    `was killed in ${project}. Go on there with:\n  cclaude --append-system-prompt 'it'\\''s "a b"\nc' -p --continue\n`,
  );
  rmSync(pending);
});

test("nothing is left of the flags when it is over", () => {
  start(["-p", "hi"], installed);
  expect(existsSync(join(home, ".config/session-snapshot/pending-flags.txt"))).toBe(false);
});

// The arguments that claude gets at the first start and at the restart, and the input of the restart, recorded by a script in place of claude.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allHookEntries } from "../../../src/claude/hooks/hook-entries.ts";
import { executable } from "../../support/executable.ts";
import { CclaudeWorld, installedSettings, settingsWith } from "../../support/worlds/cclaude-world.ts";

const world = new CclaudeWorld();
const { sessionId } = world;
afterAll(() => world[Symbol.dispose]());

/** A claude that records its arguments at each start, and its input at a restart; the first start writes a transcript and is then killed. */
const recording = `n=0; while [ -e "$RECORD.$n" ]; do n=$((n+1)); done
for word in "$@"; do printf '%s\\0' "$word"; done > "$RECORD.$n"
for word in "$@"; do [ "$last" = --settings ] && [ -f "$word" ] && cp -p "$word" "$RECORD.settings"; last=$word; done
[ $n -gt 0 ] && { cat > "$RECORD.input"; exit 7; }
now=$(date -u +%Y-%m-%dT%H:%M:%S.999Z)
printf '{"type":"user","uuid":"u","parentUuid":null,"timestamp":"%s","message":{"role":"user","content":"hi"}}\\n' "$now" > "$TRANSCRIPT"
printf '{"type":"assistant","uuid":"a","parentUuid":'"$PARENT"',"timestamp":"%s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}\\n' "$now" >> "$TRANSCRIPT"
mkdir -p "$HOME/.claude/sessions"
printf '{"pid":%s,"sessionId":"${sessionId}"}' $$ > "$HOME/.claude/sessions/$$.json"
kill -9 $$`;

const claude = world.script("claude", recording);
let runs = 0;

function start(
  argv: readonly string[],
  settings: object,
  parent = '"u"',
): { exitCode: number | null; starts: string[][]; input: string; received: string; stderr: string } {
  const record = join(world.scratch, `record-${runs++}`);
  world.reset(settings);
  const child = Bun.spawnSync([executable, "cclaude", ...argv], {
    cwd: world.project,
    stdin: "ignore",
    env: { ...world.variables(claude), RECORD: record, PARENT: parent, TRANSCRIPT: world.transcript },
  });
  const starts: string[][] = [];
  while (existsSync(`${record}.${starts.length}`)) {
    starts.push(readFileSync(`${record}.${starts.length}`, "utf8").split("\0").slice(0, -1));
  }
  const input = existsSync(`${record}.input`) ? readFileSync(`${record}.input`, "utf8") : "";
  return { exitCode: child.exitCode, starts, input, received: `${record}.settings`, stderr: child.stderr.toString() };
}

/** The given arguments, and those of the restart; null when such a claude is never restarted. */
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

test("the hooks of ai-runtime install count as ours: claude gets exactly the given arguments", () => {
  const everything = settingsWith(allHookEntries({ executable, version: undefined }));
  const given = ["-p", "hi", "--model", "opus"];
  expect(start(given, everything).starts[0]).toEqual(given);
});

test("repairs a damaged transcript before it resumes, reports it in one line, and the repair can be undone", () => {
  const { starts, stderr } = start(["-p", "hi"], installedSettings, "null");
  expect(starts).toHaveLength(2);
  expect(stderr.split("\n")[1]).toBe(
    `cclaude: the transcript was damaged; repaired it (undo with: session-snapshot undo ${sessionId})`,
  );
  const records = readFileSync(world.transcript, "utf8").trimEnd().split("\n");
  expect(records.map((line) => (JSON.parse(line) as { parentUuid: string | null }).parentUuid)).toEqual([null, "u"]);
});

describe("with our hooks installed", () => {
  test.each(vectors)("%j", (given, kept) => {
    const { exitCode, starts, input, stderr } = start(given, installedSettings);
    expect(starts[0]).toEqual(given);
    if (kept === null) {
      expect({ exitCode, stderr }).toEqual({ exitCode: null, stderr: "" } as never);
      expect(starts).toHaveLength(1);
      return;
    }
    expect(exitCode).toBe(7);
    expect(starts).toHaveLength(2);
    expect(starts[1]).toEqual(["--resume", sessionId, ...kept]);
    expect(input).toStartWith("[AI-RUNTIME CONTEXT RESTORED]\n");
    expect(stderr).toBe(`cclaude: claude ended unexpectedly (SIGKILL); resuming session ${sessionId}\n`);
  });
});

describe("without our hooks, --settings adds them", () => {
  const hooksOf = (argv: readonly string[] = [], file?: string) => {
    const at = argv.indexOf("--settings");
    const text = file === undefined ? argv[at + 1] : readFileSync(file, "utf8");
    const settings = JSON.parse(text ?? "null") as Record<string, unknown> | null;
    return { settings, others: [...argv.slice(0, at), ...argv.slice(at + 2)] };
  };

  test("for the first start and every restart, and the other arguments stay unchanged", () => {
    const { starts } = start(["-p", "a b", "--model", "opus"], {});
    const first = hooksOf(starts[0]);
    expect(first.settings).toEqual({ hooks: installedSettings.hooks });
    expect(first.others).toEqual(["-p", "a b", "--model", "opus"]);
    expect(hooksOf(starts[1]).settings).toEqual(first.settings);
    expect(hooksOf(starts[1]).others).toEqual(["--resume", sessionId, "-p", "--model", "opus"]);
  });

  test("together with the user's own settings, given as JSON or as a file, in a private file that is removed at the end", () => {
    const mine = { type: "command", command: "mine" };
    const own = { model: "opus", hooks: { Stop: [{ matcher: "", hooks: [mine] }] } };
    const path = join(world.scratch, "own settings.json");
    writeFileSync(path, JSON.stringify(own));
    for (const words of [["--settings", JSON.stringify(own)], ["--settings", path], [`--settings=${path}`]]) {
      const { starts, received } = start(["-p", ...words, "hi"], {});
      const { settings, others } = hooksOf(starts[0], received);
      expect(statSync(received).mode & 0o777).toBe(0o600);
      expect(starts.flat().join(" ")).not.toContain("opus");
      expect(readdirSync(join(world.home, ".config/session-snapshot/run-settings"))).toEqual([]);
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
    [
      "rules that are relative to the settings file",
      ["--settings", '{"permissions":{"deny":["Edit(/keys/**)"]}}', "-p", "hi"],
      {},
    ],
  ])("but not with %s", (_, given, settings) => {
    expect(start(given, settings).starts[0]).toEqual(given);
  });
});

test("removes the recorded flags at the end", () => {
  start(["-p", "hi"], installedSettings);
  expect(existsSync(join(world.home, ".config/session-snapshot/pending-flags.txt"))).toBe(false);
});

import { afterAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { executable } from "../../../support/executable.ts";
import { storedTranscript } from "../../../support/transcripts/stored-transcript.ts";

const scratch = mkdtempSync(join(tmpdir(), "view-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const sessionId = "5f0c1f6e-0000-4000-8000-000000000001";

/** A home with one conversation without a snapshot. */
function makeHome() {
  const home = mkdtempSync(join(scratch, "home-"));
  const project = join(home, ".claude/projects/-sandbox-project");
  mkdirSync(project, { recursive: true });
  const transcript = join(project, `${sessionId}.jsonl`);
  copyFileSync(storedTranscript("2.1.326"), transcript);
  const env = { PATH: "/usr/bin:/bin", HOME: home, TZ: "UTC", TERM: "xterm-256color" };
  return { home, transcript, env };
}

type Home = ReturnType<typeof makeHome>;

const view = ({ env }: Home, ...words: string[]) => run([executable, "session-snapshot", "view", ...words], env);

function run(command: string[], env: Record<string, string>, stdin = "") {
  const child = Bun.spawnSync(command, { env, stdin: new TextEncoder().encode(stdin), cwd: scratch });
  return { exitCode: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

function takeSnapshot({ env, transcript }: Home, id = sessionId): void {
  const payload = { session_id: id, transcript_path: transcript, hook_event_name: "PreCompact" };
  const { exitCode } = run([executable, "session-snapshot", "hook"], env, JSON.stringify(payload));
  expect(exitCode).toBe(0);
}

/** Makes the snapshot old and adds a newer session, so that maintenance may pack it. */
function letSnapshotAge(home: Home): string {
  const snapshots = join(home.home, ".config/session-snapshot/snapshots");
  const mirror = join(snapshots, `${sessionId}.jsonl`);
  const statePath = join(snapshots, `${sessionId}.state.json`);
  const state = JSON.parse(readFileSync(statePath, "utf8")) as { marks: { time: number }[] };
  for (const mark of state.marks) mark.time -= 30 * 24 * 3_600_000;
  writeFileSync(statePath, JSON.stringify(state));
  utimesSync(mirror, 0, 0);
  const transcript = join(dirname(home.transcript), "other.jsonl");
  copyFileSync(storedTranscript("2.1.36"), transcript);
  takeSnapshot({ ...home, transcript }, "other");
  return mirror;
}

/** A prompt that follows the last line of the conversation. */
function addPrompt({ transcript }: Home, uuid: string, text: string): void {
  const last = Bun.spawnSync(["tail", "-n", "10", transcript]).stdout.toString().trim().split("\n");
  const parent = last.findLast((line) => line.includes('"parentUuid"')) ?? "{}";
  const { uuid: parentUuid } = JSON.parse(parent) as { uuid: string };
  const line = {
    uuid,
    parentUuid,
    type: "user",
    message: { role: "user", content: text },
    timestamp: "2026-01-01T00:00:00Z",
  };
  appendFileSync(transcript, `${JSON.stringify(line)}\n`);
}

/** Runs the command on a terminal, and returns the output. */
async function onTerminal({ env }: Home, more: Record<string, string>, ...words: string[]) {
  let shown = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([executable, "session-snapshot", "view", sessionId, ...words], {
    env: { ...env, ...more },
    cwd: scratch,
    terminal: { cols: 60, rows: 20, data: (_, bytes) => void (shown += decoder.decode(bytes, { stream: true })) },
  });
  const exitCode = await child.exited;
  return { exitCode, shown: shown.replaceAll("\r\n", "\n") };
}

describe("shows", () => {
  test("a transcript without a snapshot, by its full id, without escape codes", () => {
    const home = makeHome();
    const { exitCode, stdout, stderr } = view(home, sessionId);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toStartWith(`# Session ${sessionId}\n\n${home.transcript} · 110 kB\n\n`);
    expect(stdout).toContain("\n**Bash** — Count · ");
    expect(stdout).toEndWith(
      "server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (api).\n",
    );
    expect(stdout).not.toContain("\u001b");
  });

  test("the live transcript, and with --to the conversation as it was at a mark", () => {
    const home = makeHome();
    takeSnapshot(home);
    addPrompt(home, "later", "Said\u2028after the mark");
    expect(view(home, "5f0c").stdout).toEndWith("## User · 2026-01-01 00:00:00\n\nSaid\nafter the mark\n");
    const { stdout } = view(home, "5f0c", "--to", "1");
    expect(stdout).toMatch(/^# Session .*\n\nmark 1 of .*, PreCompact · 110 kB\n/);
    expect(stdout).toContain("One more");
    expect(stdout).not.toContain("after the mark");
  });

  test("the newest snapshot when the transcript is gone", () => {
    const home = makeHome();
    takeSnapshot(home);
    rmSync(home.transcript);
    const { exitCode, stdout } = view(home, sessionId);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("\nmark 1 of ");
    expect(stdout).toContain("\n\nOne more\n");
  });

  test("a compressed snapshot", () => {
    const home = makeHome();
    takeSnapshot(home);
    rmSync(home.transcript);
    const before = view(home, sessionId, "--to", "1").stdout;
    const mirror = letSnapshotAge(home);
    run([executable, "session-snapshot", "maintain"], home.env);
    expect(existsSync(mirror)).toBe(false);
    const after = view(home, sessionId).stdout;
    expect(after.split("\n").slice(3)).toEqual(before.split("\n").slice(3));
    expect(readdirSync(dirname(mirror)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("a transcript that is shorter than its snapshot, with a hint to the snapshot", () => {
    const home = makeHome();
    takeSnapshot(home);
    writeFileSync(home.transcript, '{"type":"summary","summary":"stub"}\nnot JSON\n{"torn');
    const { stdout } = view(home, sessionId);
    expect(stdout).toContain("\nThe snapshot has more than the transcript (110 kB): see it with --to 1.\n");
    expect(stdout).toEndWith("\n1 line could not be read.\n");
  });

  test("everything with --full", () => {
    const home = makeHome();
    expect(view(home, sessionId).stdout).toContain("⋯ 43 of 61 lines left out ⋯");
    expect(view(home, sessionId, "--full").stdout).toContain("\n11\n12\n13\n");
  });
});

describe("refuses", () => {
  test.each<[string[], number, string]>([
    [[sessionId, "--jsno"], 2, "unknown option --jsno"],
    [[sessionId, "--to", "soon"], 2, '"soon" is not a point'],
    [["no-such-session"], 4, 'no snapshot of a session "no-such-session"'],
    [["../x"], 2, '"../x" is not a session id'],
    [[], 4, "there is no snapshot of a session in "],
  ])("%p", (words, code, message) => {
    const { exitCode, stdout, stderr } = view(makeHome(), ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" });
    expect(stderr).toStartWith(`session-snapshot: ${message}`);
  });
});

test("has no --json, because the transcript is already JSON", () => {
  const { exitCode, stdout, stderr } = view(makeHome(), sessionId, "--json");
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("unknown option --json");
});

describe("output", () => {
  test("a closed pipe is not an error", () => {
    const script = '{ "$0" session-snapshot view "$1" --full; echo "exit $?" >&2; } | head -n 1';
    const home = makeHome();
    // More than a pipe holds, so that view is still writing when head exits.
    for (let n = 0; n < 200; n++) addPrompt(home, `long-${n}`, "words ".repeat(500));
    const { stdout, stderr } = run(["sh", "-c", script, executable, sessionId], home.env);
    expect({ stdout, stderr }).toEqual({ stdout: `# Session ${sessionId}\n`, stderr: "exit 0\n" });
  });

  test.skipIf(!existsSync("/dev/full"))("a full disk is an error", () => {
    const command = ["sh", "-c", '"$0" session-snapshot view "$1" >/dev/full', executable, sessionId];
    const { exitCode, stderr } = run(command, makeHome().env);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: "session-snapshot: cannot write to stdout: ENOSPC: no space left on device, write\n",
    });
  });

  const marks = "sed 's/^/paged  by us: /'";

  test("uses $PAGER with its arguments and quotes on a terminal, wrapped to its width", async () => {
    const { exitCode, shown } = await onTerminal(makeHome(), { PAGER: marks });
    expect(exitCode).toBe(0);
    const lines = Bun.stripANSI(shown).trimEnd().split("\n");
    for (const line of lines) expect(line).toStartWith("paged  by us: ");
    const words = lines.map((line) => line.slice("paged  by us: ".length));
    expect(words).toContain("**Error:** API Error: 529 Overloaded. This is a server-side");
    expect(shown).toContain("\u001b[1m");
  });

  test.each(["no-such-pager --option", "/dev/null", "", "cat"])("prints directly when PAGER is %p", async (pager) => {
    const { exitCode, shown } = await onTerminal(makeHome(), { PAGER: pager, NO_COLOR: "1" });
    expect(exitCode).toBe(0);
    expect(shown).toStartWith(`# Session ${sessionId}\n`);
    expect(shown.match(/## User · .*\n\nOne more\n/g)).toHaveLength(1);
    expect(shown).not.toContain("\u001b[1m");
  });

  test("--plain uses no pager and no colors, and prints the same text as to a file", async () => {
    const home = makeHome();
    const { shown } = await onTerminal(home, { PAGER: marks }, "--plain");
    expect(shown).toBe(view(home, sessionId).stdout);
  });

  test("a pager that exits early is not an error", async () => {
    const { exitCode, shown } = await onTerminal(makeHome(), { PAGER: "head -n 1" }, "--full");
    expect({ exitCode, shown: Bun.stripANSI(shown) }).toEqual({ exitCode: 0, shown: `# Session ${sessionId}\n` });
  });
});

// `npm run demo`: what the executable is for, in a minute, on a made-up conversation in a scratch directory.
// Needs no Claude and no account; leaves nothing behind.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBuildFresh } from "./build-stamp.ts";

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime");
const sessionId = "0c6f4b52-5d1e-4a39-9a57-6b0c2f6d9e11";

if (!isBuildFresh(root)) await run([process.execPath, join(root, "scripts/build.ts")], { inherit: true });

const home = realpathSync(mkdtempSync(join(tmpdir(), "ai-runtime-demo-")));
try {
  await story(home);
} finally {
  rmSync(home, { recursive: true, force: true });
}
say("The scratch directory is gone again. On your own sessions: see README.md.");

async function story(scratch: string): Promise<void> {
  const project = join(scratch, ".claude/projects/-demo");
  const transcript = join(project, `${sessionId}.jsonl`);
  mkdirSync(project, { recursive: true });

  say("Claude works on a task. After each tool call its hook runs: session-snapshot hook");
  for (let turn = 1; turn <= 6; turn++) {
    appendFileSync(transcript, conversation(turn));
    await hook(transcript, turn === 6 ? "Stop" : "PostToolUse");
  }
  const whole = readFileSync(transcript);
  await show(["list", sessionId]);

  say("Now the transcript is overwritten by a stub. Claude would say: No conversation found.");
  writeFileSync(transcript, '{"type":"summary","summary":"lost"}\n');
  await show(["restore", sessionId]);
  check("the transcript is back, byte for byte", readFileSync(transcript).equals(whole));

  say("Back to before the context filled up: the newest mark that leaves half of it free.");
  await show(["restore", sessionId, "--to", "fit"]);
  check("it is a true beginning of the conversation", whole.indexOf(readFileSync(transcript)) === 0);

  say("And back again: nothing is ever replaced without keeping the old.");
  await show(["undo", sessionId]);
  check("the whole conversation is there", readFileSync(transcript).equals(whole));
}

/** Lines like Claude's own: a tool call with its result, and the tokens that the request carried. */
function conversation(turn: number): string {
  const usage = { input_tokens: 12, cache_read_input_tokens: 26_000 * turn, cache_creation_input_tokens: 900 };
  const input = { command: `npm test -- --shard ${turn}/6` };
  const lines = Array.from({ length: 40 }, (_, index) => [
    {
      type: "assistant",
      uuid: `a-${turn}-${index}`,
      message: { role: "assistant", usage, content: [{ type: "tool_use", name: "Bash", input }] },
    },
    {
      type: "user",
      uuid: `u-${turn}-${index}`,
      parentUuid: `a-${turn}-${index}`,
      message: { role: "user", content: [{ type: "tool_result", content: "ok ".repeat(700) }] },
    },
  ]).flat();
  return lines.map((line) => `${JSON.stringify({ ...line, sessionId })}\n`).join("");
}

async function hook(transcript: string, event: string): Promise<void> {
  const payload = { session_id: sessionId, transcript_path: transcript, hook_event_name: event };
  await run([executable, "session-snapshot", "hook"], { stdin: JSON.stringify(payload) });
}

async function show(words: string[]): Promise<void> {
  console.log(`\n$ session-snapshot ${words.join(" ")}`);
  await run([executable, "session-snapshot", ...words], { inherit: true });
}

async function run(command: string[], how: { stdin?: string; inherit?: boolean } = {}): Promise<void> {
  const { PATH = "", TERM = "", NO_COLOR = "" } = process.env;
  const child = Bun.spawn(command, {
    // The executable gets a home of its own: the demo touches nothing of yours. The build needs the real one.
    env: command[0] === executable ? { PATH, TERM, NO_COLOR, HOME: home } : process.env,
    stdin: how.stdin === undefined ? "ignore" : new TextEncoder().encode(how.stdin),
    stdout: how.inherit ? "inherit" : "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} ended with exit code ${child.exitCode}`);
}

function say(text: string): void {
  console.log(`\n── ${text}`);
}

function check(promise: string, holds: boolean): void {
  if (!holds) throw new Error(`the demo's promise does not hold: ${promise}`);
  console.log(`   → checked: ${promise}`);
}

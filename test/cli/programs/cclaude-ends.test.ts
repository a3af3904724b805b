// What cclaude does when claude ends, with scripts in place of claude.
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../support/executable.ts";
import { CclaudeWorld, installedSettings } from "../../support/worlds/cclaude-world.ts";

const world = new CclaudeWorld();
const { project, sessionId, transcript } = world;
afterAll(() => world[Symbol.dispose]());

describe("the end of claude", () => {
  const wayOut = (name: string, script: string, env: Record<string, string> = {}) => {
    const bin = world.script(name, `printf x >> "$0.starts"\n${script}`);
    rmSync(`${bin}.starts`, { force: true });
    world.reset(installedSettings);
    const { exitCode, signalCode, stdout, stderr } = Bun.spawnSync([executable, "cclaude", "-p", "hi"], {
      cwd: world.project,
      stdin: "ignore",
      env: { ...world.variables(bin), ...env },
    });
    const starts = readFileSync(`${bin}.starts`, "utf8").length;
    return { exitCode, signalCode, stdout: stdout.toString(), stderr: stderr.toString(), starts };
  };
  // In milliseconds: an answer of the first start must not count for the second. Not every `date` supports %N.
  const now = `$("${process.execPath}" -e 'console.log(new Date().toISOString())')`;
  const listed = `mkdir -p "$HOME/.claude/sessions"
printf '{"pid":%s,"sessionId":"${sessionId}"}' $$ > "$HOME/.claude/sessions/$$.json"`;
  /** A prompt, and an answer whose usage shows how full the context was. */
  const conversation = (tokens: number): string => `${listed}
printf '{"type":"user","uuid":"u","parentUuid":null,"timestamp":"%s","message":{"role":"user","content":"hi"}}\\n' "${now}" > ${transcript}
printf '{"type":"assistant","uuid":"a","parentUuid":"u","timestamp":"%s","message":{"role":"assistant","usage":{"input_tokens":${tokens}},"content":[{"type":"text","text":"ok"}]}}\\n' "${now}" >> ${transcript}`;

  test("gives up on a claude that keeps dying without an answer, and shows how to continue", () => {
    const ended = wayOut("dying", `[ -e ${transcript} ] || { ${conversation(1_000)}\n}\n${listed}\nkill -9 $$`);
    expect(ended).toMatchObject({ signalCode: "SIGKILL", stdout: "", starts: 4 });
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(4);
    expect(ended.stderr).toEndWith(`everything is saved. Resume with: cclaude --resume ${sessionId}\n`);
  });

  test("a bad setting is reported once, and only when cclaude acts", () => {
    const bad = { AI_RUNTIME_WAIT_SECONDS: "soon" };
    const problem = 'cclaude: AI_RUNTIME_WAIT_SECONDS must be a number from 0 to 691200 (got "soon"); using 3600\n';
    const acting = wayOut("dying", `[ -e ${transcript} ] || { ${conversation(1_000)}\n}\n${listed}\nkill -9 $$`, bad);
    expect(acting.stderr.split(problem)).toHaveLength(2);
    expect(wayOut("ending", "exit 3", bad)).toMatchObject({ exitCode: 3, stderr: "" });
  });

  /** Takes a mark, then adds 150 kB with a full context, then ends. */
  const overloading = (end: string): string => `[ -e ${transcript} ] && exit 0
${conversation(50_000)}
printf '{"session_id":"${sessionId}","transcript_path":"${transcript}","hook_event_name":"PreCompact"}' | ${executable} session-snapshot hook
long=$(printf '%0150000d' 1)
printf '{"type":"assistant","uuid":"b","parentUuid":"a","timestamp":"%s","message":{"role":"assistant","usage":{"input_tokens":190000},"content":[{"type":"text","text":"%s"}]}}\\n' "${now}" "$long" >> ${transcript}
${end}`;

  test("goes back when claude dies with a full context, more than 100 kB after the last mark", () => {
    const ended = wayOut("overloaded", overloading("kill -9 $$"));
    expect(ended).toMatchObject({ exitCode: 0, starts: 2 });
    expect(ended.stderr).toMatch(/^cclaude: the conversation outgrew its context; restored it to mark 1 of /);
    expect(readFileSync(transcript, "utf8").split("\n")).toHaveLength(3);
  });

  test("restores nothing when the user quit after the same growth", () => {
    const left = `printf '{"session_id":"${sessionId}","transcript_path":"${transcript}","hook_event_name":"SessionEnd","reason":"prompt_input_exit"}' | ${executable} session-snapshot hook; kill -9 $$`;
    const ended = wayOut("left", overloading(left));
    expect(ended).toMatchObject({ signalCode: "SIGKILL", starts: 1, stderr: "" });
    expect(readFileSync(transcript).length).toBeGreaterThan(150_000);
  });
});

test("after a kill of cclaude and claude the flags stay on disk, and --explain shows how to continue", async () => {
  const pending = join(world.home, ".config/session-snapshot/pending-flags.txt");
  const env = world.variables(world.script("killer", `while [ ! -s ${pending} ]; do sleep 0.02; done\nkill -9 $PPID`));
  const words = ["--append-system-prompt", 'it\'s "a b"\nc', "-p", "hi"];
  const child = Bun.spawn([executable, "cclaude", ...words], { cwd: world.project, env, stdin: "ignore" });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const { stdout } = Bun.spawnSync([executable, "cclaude", "--explain"], { cwd: world.project, env });
  expect(stdout.toString()).toContain(
    `was killed in ${project}. Resume there with:\n  cclaude --append-system-prompt 'it'\\''s "a b"\nc' -p --continue\n`,
  );
  rmSync(pending);
});

test("a claude that cannot be started leaves nothing to recover", () => {
  const claude = world.script("claude", "");
  writeFileSync(claude, "#!/no/such/interpreter\n");
  const state = join(world.scratch, "state");
  const { exitCode } = Bun.spawnSync([executable, "cclaude", "-p", "hi"], {
    cwd: project,
    env: { ...world.variables(claude), XDG_STATE_HOME: state },
    stdin: "ignore",
  });
  expect(exitCode).toBe(1);
  expect(readdirSync(join(state, "ai-runtime/runs/active"))).toEqual([]);
});

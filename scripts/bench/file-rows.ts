import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../../src/io/files/read-file.ts";
import { ownBytes } from "../../src/store/trees/survey-trees.ts";
import { type Case, measure, type Timing, warmUp } from "./measure.ts";
import { type Bench, compare, type Row } from "./rows.ts";

const sizes = [1_000, 20_000, 100_000] as const;
const maxUnchanged = 1.3;
const maxOneChanged = 2;
/** Random text of this size is what one change adds at least. */
const changedBytes = 20_000;

/** Compares a file mark with `git status` in the same project, for an unchanged project and for one changed file. */
export async function fileRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const files of sizes) rows.push(...(await rowsOf(bench, files)));
  return [...rows, ...(await harmlessRows(bench))];
}

async function rowsOf(bench: Bench, files: number): Promise<Row[]> {
  const { executable, rounds } = bench;
  const home = join(bench.home, `files-${files}`);
  // Long enough for every mark of a busy machine.
  const env = { ...bench.env, HOME: home, SESSION_SNAPSHOT_FILES_WAIT_SECONDS: "60" };
  const root = join(home, "project");
  fillProject(root, files, env);
  const hook = (name: string, more: Partial<Case> = {}): Case => ({
    name,
    command: [executable, "session-snapshot", "hook"],
    stdin: payload(home, "Stop", { cwd: root }),
    ...more,
  });
  const status = { name: `git status, ${files} files`, command: ["git", "-C", root, "status", "--porcelain"] };
  const off = hook("off", { command: ["env", "SESSION_SNAPSHOT_FILES=off", executable, "session-snapshot", "hook"] });
  const unchanged = hook(`file mark, unchanged, ${files} files`);
  const changed = hook(`file mark, one changed file, ${files} files`, {
    prepare: () => writeFileSync(join(root, "changing"), crypto.getRandomValues(new Uint8Array(changedBytes))),
  });
  // Taken by a worker: the first hook does not wait for all of it.
  await measure([hook("first mark")], 1, env);
  const trees = join(home, ".config/session-snapshot/trees");
  await firstMark(trees);
  const before = ownBytes(trees);
  const timings = await measure([status, off, unchanged, changed], rounds, env);
  const added = (ownBytes(trees) - before) / (rounds + warmUp);
  rmSync(home, { recursive: true });
  return [
    against(timings, unchanged.name, status.name, maxUnchanged),
    against(timings, changed.name, status.name, maxOneChanged),
    diskRow(files, added),
  ];
}

/** The hook without file marks, then `git status`: what a mark that costs as much as `git status` would take. */
function against(timings: Map<string, Timing>, what: string, status: string, most: number): Row {
  const fastest = (name: string): number => timings.get(name)?.fastest ?? Number.NaN;
  const ratio = fastest(what) / (fastest("off") + fastest(status));
  const row = compare(timings, what, status, undefined);
  const verdict = ratio <= most ? "met" : "missed";
  return { ...row, against: `a hook without it, and ${status}`, ratio, target: `≤ ${most}×`, verdict };
}

function diskRow(files: number, added: number): Row {
  const ratio = added / changedBytes;
  return {
    what: `file mark, one changed file of ${changedBytes / 1_000} kB, ${files} files: disk`,
    timing: undefined,
    against: "the changed bytes",
    ratio,
    target: "≤ 2×",
    verdict: ratio <= 2 ? "met" : "missed",
  };
}

async function harmlessRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const command = [executable, "session-snapshot", "hook"];
  const before = (line: string): string =>
    payload(home, "PreToolUse", { cwd: home, tool_name: "Bash", tool_input: { command: line } });
  const idle = { name: "hook, nothing to do (event without work)", command, stdin: payload(home, "Notification") };
  const plain = { name: "hook before `git status && ls src`", command, stdin: before("git status && ls src") };
  const read = { name: "hook before a harmless script", command, stdin: before('for f in *.ts; do wc -l "$f"; done') };
  const timings = await measure([idle, plain, read], rounds, env);
  return [
    compare(timings, plain.name, idle.name, { atMost: 1.2 }),
    compare(timings, read.name, idle.name, { atMost: 1.2 }),
  ];
}

const payload = (home: string, event: string, more: object = {}): string =>
  JSON.stringify({
    session_id: "bench-files",
    transcript_path: join(home, "none.jsonl"),
    hook_event_name: event,
    ...more,
  });

function fillProject(root: string, files: number, env: Record<string, string>): void {
  for (let n = 0; n < files; n++) {
    const directory = join(root, `d${Math.floor(n / 500)}`, `e${Math.floor(n / 50) % 10}`);
    if (n % 50 === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `f${n}.txt`), `file ${n}\n`.repeat(20));
  }
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"];
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "one"],
    ["repack", "-adq"],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...words], { cwd: root, env });
    if (exitCode !== 0) throw new Error(`git ${words[0]}: ${stderr.toString()}`);
  }
}

/** Waits until the first mark is recorded; a worker takes it. */
async function firstMark(trees: string): Promise<void> {
  while (listFiles(trees).every((name) => !name.endsWith("/marks.json"))) await Bun.sleep(100);
}

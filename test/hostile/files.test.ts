// Every file that we read, broken or forged: no crash, no hang, no path outside our directories, and an unchanged transcript.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { newRun } from "../../src/core/run/run-record.ts";
import { planService } from "../../src/core/service/service-plan.ts";
import { Journal } from "../../src/store/runs/journal.ts";
import type { LastDecision } from "../../src/store/cclaude/last-decision.ts";
import { ageSnapshot } from "../support/worlds/age-snapshot.ts";
import { exampleService } from "../support/service/service-options.ts";
import { inFull, sampleOf, tally } from "../faults/extent.ts";
import { FaultWorld } from "../faults/fault-world.ts";
import { corpus, distort, distortions } from "./corpus.ts";
import { runHarmless } from "./harmless.ts";

if (inFull) setDefaultTimeout(1_800_000);

const id = "11111111-2222-4333-8444-555555555555";
const diedRun = "20261117-090000-aaaa";
const doneRun = "20261117-080000-bbbb";

/** Creates every kind of file that our programs write. */
async function lived(world: FaultWorld): Promise<void> {
  world.grow(id, 60_000);
  await world.hook(id);
  world.overwrite(id, "");
  world.grow(id, 40_000, "other");
  await world.hook(id);
  world.grow(id, 40_000, "more");
  await world.hook(id);
  await world.run(["restore", id, "--to", "2"]);
  await world.run(["verify", id]);
  world.grow("cold", 20_000);
  await world.hook("cold");
  ageSnapshot(world.files.root, "cold", 40);
  await world.run(["maintain"]);
  await world.runtime(["install"]);
  await world.runtime(["checkpoint", "save", "--goal", "Ship it", "--next", "test"]);
  const limits = { five_hour: { used_percentage: 40, resets_at: 4_000_000_000 } };
  await world.runtime(["statusline"], {
    stdin: JSON.stringify({ session_id: id, cwd: world.directory, rate_limits: limits }),
  });
  const root = world.files.root;
  writeFileSync(join(root, "config.json"), JSON.stringify({ minSize: 1, interval: 1 }), { mode: 0o600 });
  writeFileSync(join(root, "path-cache.json"), JSON.stringify({ [id]: world.transcript(id) }), { mode: 0o600 });
  const process = { pid: 1, startTime: "1", bootId: "x" };
  const flags = {
    version: 1,
    process,
    started: Date.now(),
    cwd: world.directory,
    flags: ["--model", "opus"],
    sessionId: id,
  };
  writeFileSync(join(root, "pending-flags.txt"), `${JSON.stringify(flags)}\n`, { mode: 0o600 });
  mkdirSync(join(root, "canary"), { recursive: true, mode: 0o700 });
  const standstill = { size: 80_000, toolCalls: 3, since: Date.now() };
  writeFileSync(join(root, "canary", `${id}.json`), JSON.stringify(standstill), { mode: 0o600 });
  writeFileSync(join(root, "last-decision.json"), JSON.stringify(lastDecision(world)), { mode: 0o600 });
  haveRun(world);
}

/** The files that cclaude leaves after a claude has ended. */
function lastDecision(world: FaultWorld): LastDecision {
  const finalError = { kind: "limit", resetsAt: 4_000_000_000_000 } as const;
  const flags = { stopAsked: false, interactive: true, hooksSeen: true, resumable: true, progress: true };
  const load = { snapshotAge: 1_000, growth: 200_000, contextTokens: 150_000 };
  const evidence = { exitCode: 1, signal: null, endReason: null, failure: "rate_limit", finalError, ...flags, ...load };
  const history = { crashes: 0, limits: 1, restores: 0, restarts: 1 };
  const action = { kind: "wait", until: 4_000_000_000_000, known: true } as const;
  const decision = { cause: "limit", action } as const;
  return { version: 1, time: Date.now(), cwd: world.directory, sessionId: id, evidence, history, decision };
}

/** A crashed run, a finished run, a known limit, a hosted program whose host is gone, and a service. */
function haveRun(world: FaultWorld): void {
  const state = join(world.home, ".local/state/ai-runtime");
  const put = (path: string, text: string): void => {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  const died = { pid: 1, startTime: "1", bootId: "x" };
  for (const [run, where] of [
    [diedRun, "active"],
    [doneRun, "ended"],
  ] as const) {
    const directory = join(world.directory, ".ai-runtime/sessions", run);
    const plan = { id: run, kind: "headless", task: "Do it", cwd: world.directory, directory, sessionId: id } as const;
    const rest = { claude: "/bin/false", flags: [], permissionMode: null, maxWait: null, maxBudgetUsd: null };
    const record = newRun({ ...plan, ...rest, claudeConfig: join(world.home, ".claude"), created: 1_794_900_000_000 });
    const phase = where === "ended" ? "done" : "waiting-limit";
    const status = { ...record.status, phase, until: 4_000_000_000_000, supervisor: died, child: died };
    put(join(state, "runs", where, `${run}.json`), JSON.stringify({ ...record, status }));
    put(join(directory, "output.log"), "10:00:00 ● run\n");
    new Journal(join(directory, "journal.jsonl")).append(1, "transition", { phase });
  }
  const limit = { until: 4_000_000_000_000, run: diedRun, time: 1 };
  put(join(state, "limits.json"), JSON.stringify({ version: 1, accounts: { "0123456789abcdef": limit } }));
  const hosted = { id: "hosted", command: ["/bin/cat"], name: "cat", directory: world.directory };
  const more = { size: { columns: 80, rows: 24 }, greeting: null, sessionId: null, created: 1 };
  const running = { host: died, program: died, socket: join(world.home, "none.sock") };
  const host = { version: 1, plan: { ...hosted, ...more }, running, session: null, end: null };
  put(join(state, "hosts/hosted.json"), JSON.stringify(host));
  const { files } = planService(exampleService("linux", { workspace: world.directory }));
  put(join(state, "services", basename(files[0]?.path ?? "")), files[0]?.content ?? "");
}

function ownFiles(world: FaultWorld): string[] {
  const places = [
    join(world.home, ".local/state/ai-runtime"),
    join(world.directory, ".ai-runtime"),
    world.files.root,
    join(world.home, ".claude/checkpoints"),
    world.checkpoints.memory(world.directory),
  ];
  const files = places.flatMap((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(json|txt|log|zst)$|\.jsonl$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...files, join(world.home, ".claude/settings.json")].filter((path) => existsSync(path)).sort();
}

/** All commands that read our files. */
const readers: readonly (readonly string[])[] = [
  ["session-snapshot", "status", "--json"],
  ["session-snapshot", "list", id],
  ["session-snapshot", "restore", "--dry-run"],
  ["session-snapshot", "verify", id],
  ["session-snapshot", "clean", "--all", "--dry-run"],
  ["session-snapshot", "maintain"],
  ["session-snapshot", "install", "--dry-run"],
  ["checkpoint", "show", "--json"],
  ["checkpoint", "list", "--past"],
  ["cclaude", "--explain"],
  ["doctor"],
  ["status", "--json"],
  ["status", "--all"],
  ["recover", "--dry-run"],
  ["logs", diedRun],
  ["attach", doneRun],
  ["attach", "hosted"],
  ["stop", diedRun],
  ["service", "status", "--json"],
  ["service", "logs"],
];

/** Commands that always run for a file, in addition to the sampled ones. */
const alwaysRun: readonly (readonly [file: RegExp, words: readonly string[]])[] = [
  [/runs\/(active|ended)\//, ["status", "--json"]],
  [/hosts\//, ["attach", "hosted"]],
  [/snapshots\/[^/]*\.json$/, ["session-snapshot", "status", "--json"]],
  [/generations\/|\.zst$/, ["session-snapshot", "list", id]],
  [/backups\//, ["session-snapshot", "undo", "unknown"]],
  [/pending-flags|last-decision/, ["cclaude", "--explain"]],
  [/checkpoints\/|memory\//, ["checkpoint", "list", "--past"]],
  [/settings\.json|install/, ["session-snapshot", "install", "--dry-run"]],
  [/config\.json/, ["doctor"]],
  [/services\//, ["service", "status", "--json"]],
];

test("no command crashes on a broken or forged file of ours", async () => {
  using world = new FaultWorld();
  await lived(world);
  world.keep();
  const transcript = world.read(id);
  const files = ownFiles(world);
  expect(files.length).toBeGreaterThan(15);
  let points = 0;
  for (const file of files) {
    world.startOver();
    const text = readFileSync(file, "utf8");
    const forged = Array.from({ length: distortions(text) }, (_, seed): [string, () => string | Uint8Array] => [
      `distortion ${seed}`,
      () => distort(text, seed),
    ]);
    const broken = Object.entries(corpus).map(([name, bytes]): [string, () => string | Uint8Array] => [
      name,
      () => bytes,
    ]);
    const name = relative(world.home, file);
    // Valid JSON without any expected field: reveals a missing check most easily.
    const hollow = broken.filter(([kind]) => kind === "an empty object" || kind === "null");
    const chosen = new Map([...sampleOf(broken, 1, name), ...hollow, ...sampleOf(forged, 1, name, 40)]);
    const certain = alwaysRun.flatMap(([pattern, words]) => (pattern.test(file) ? [words] : []));
    for (const [kind, bytes] of chosen) {
      world.startOver();
      writeFileSync(file, bytes());
      const what = `${name} is ${kind}`;
      for (const words of [...certain, ...sampleOf(readers, 1, what, 8)]) {
        await runHarmless(world, words, { what });
        points++;
      }
      for (const program of [["session-snapshot", "hook"], ["hook"]]) {
        const stdin = world.payload(id, "Stop", { last_assistant_message: "x", cwd: world.directory });
        const hook = await runHarmless(world, program, { stdin, what });
        expect([what, hook]).toEqual([what, { exitCode: 0, stdout: "", stderr: "" }]);
        points++;
      }
      expect([what, world.read(id).equals(transcript)]).toEqual([what, true]);
    }
  }
  tally(points, "commands on broken and forged files");
});

test("a symbolic link, directory or pipe in place of any of our files does no harm", async () => {
  using world = new FaultWorld();
  await lived(world);
  world.keep();
  const victim = join(world.notes, "victim");
  let points = 0;
  for (const file of ownFiles(world)) {
    const name = relative(world.home, file);
    const kinds = ["a link to another file", "a link to nowhere", "a directory", "a pipe"] as const;
    for (const kind of sampleOf(kinds, 1, name)) {
      world.startOver();
      writeFileSync(victim, "precious\n");
      rmSync(file);
      const made = {
        "a link to another file": ["ln", "-s", victim, file],
        "a link to nowhere": ["ln", "-s", join(world.root, "outside"), file],
        "a directory": ["mkdir", file],
        "a pipe": ["mkfifo", file],
      }[kind];
      expect(Bun.spawnSync(made).exitCode).toBe(0);
      const what = `${name} is ${kind}`;
      const stdin = world.payload(id, "Stop", { last_assistant_message: "x", cwd: world.directory });
      const hook = await runHarmless(world, ["hook"], { stdin, what });
      expect([what, hook]).toEqual([what, { exitCode: 0, stdout: "", stderr: "" }]);
      for (const words of sampleOf(readers, 1, what)) await runHarmless(world, words, { what });
      expect([what, readFileSync(victim, "utf8")]).toEqual([what, "precious\n"]);
      points++;
    }
  }
  tally(points, "links and pipes in place of our files");
});

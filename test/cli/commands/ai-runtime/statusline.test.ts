import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseRateLimitEvent, parseStatusLine } from "../../../../src/claude/screen/status-line.ts";
import { recordUsage } from "../../../../src/app/checkpoint/near-cap.ts";
import { currentEnvironment } from "../../../../src/app/environment.ts";
import { identifyProcess } from "../../../../src/io/process/process.ts";
import { findCrossings } from "../../../../src/core/checkpoint/usage.ts";
import { HostRecords } from "../../../../src/store/hosts/host-records.ts";
import { CheckpointWorld } from "../../../support/worlds/checkpoint-world.ts";

const reset = 1_794_800_428;

function input(world: CheckpointWorld, five: number, { session = "s", resetsAt = reset } = {}): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: join(world.projectDirectory(), `${session}.jsonl`),
    cwd: world.directory,
    workspace: { project_dir: world.directory },
    context_window: { used_percentage: 43.9 },
    rate_limits: {
      five_hour: { used_percentage: five, resets_at: resetsAt },
      seven_day: { used_percentage: 40, resets_at: resetsAt + 90_000 },
    },
  });
}

const usageOf = (world: CheckpointWorld): { saved: unknown[]; usage: unknown } =>
  JSON.parse(readFileSync(world.files.usagePath, "utf8")) as { saved: unknown[]; usage: unknown };

describe("the line", () => {
  test("shows context, usage with both resets, and the age of the checkpoint", async () => {
    using world = new CheckpointWorld();
    expect((await world.runWith(input(world, 96.9), ["statusline"])).stdout).toBe(
      "ctx 43% · 5h 96% → 03:40 · 7d 40% → Tue 04:40\n",
    );
    expect(usageOf(world)).toMatchObject({
      contextPercent: 43.9,
      usage: { five_hour: { percent: 96.9, resetsAt: reset * 1000 }, seven_day: { percent: 40 } },
    });
    await world.run("checkpoint", "save", "--goal", "g");
    expect((await world.runWith(input(world, 50), ["statusline"])).stdout).toMatch(
      / · 7d 40% → Tue 04:40 · saved \d+s ago\n$/,
    );
  });

  test("shows until when the usage limit lasts at which the conversation ends", async () => {
    using world = new CheckpointWorld();
    const transcript_path = join(world.projectDirectory(), "s.jsonl");
    mkdirSync(world.projectDirectory(), { recursive: true });
    const error = { type: "assistant", isApiErrorMessage: true, error: "rate_limit" };
    const message = { role: "assistant", content: [{ type: "text", text: "You've hit your 5-hour limit" }] };
    const lineAt = async (resetsAt: number): Promise<string> => {
      const quotaLimits = { resetsAt: Math.round(resetsAt / 1_000) };
      writeFileSync(transcript_path, `${JSON.stringify({ ...error, quotaLimits, message })}\n`);
      const status = { session_id: "s", transcript_path, cwd: world.directory };
      return (await world.runWith(JSON.stringify(status), ["statusline"])).stdout;
    };
    expect(await lineAt(Date.now() + 3_600_000)).toMatch(/^limit → \d\d:\d\d\n$/);
    expect(await lineAt(Date.now() + 3 * 86_400_000)).toMatch(/^limit → \w{3} \d\d:\d\d\n$/);
    expect(await lineAt(Date.now() - 3_600_000)).toBe("");
  });

  test("shows a full context after the API refused the prompt, and a small share as <1%, never as 0%", async () => {
    using world = new CheckpointWorld();
    const transcript_path = join(world.projectDirectory(), "s.jsonl");
    const at = async (used_percentage: number): Promise<string> => {
      const status = { session_id: "s", transcript_path, cwd: world.directory, context_window: { used_percentage } };
      return (await world.runWith(JSON.stringify(status), ["statusline"])).stdout;
    };
    expect(await at(0)).toBe("ctx <1%\n");
    const error = { type: "assistant", isApiErrorMessage: true, error: "invalid_request" };
    const message = { role: "assistant", content: [{ type: "text", text: "Prompt is too long" }] };
    mkdirSync(world.projectDirectory(), { recursive: true });
    writeFileSync(transcript_path, `${JSON.stringify({ ...error, message, timestamp: "2026-11-16T12:00:00.000Z" })}\n`);
    for (const stale of [0, 60]) expect(await at(stale)).toBe("ctx full\n");
    // The same conversation in a host of ours.
    const plan = { id: "h", command: [], name: "cclaude", directory: "/", greeting: null, sessionId: "s", created: 1 };
    const running = { host: identifyProcess(process.pid), program: null, socket: "" };
    const hosts = join(world.home, ".local/state/ai-runtime/hosts");
    mkdirSync(hosts, { recursive: true, mode: 0o700 });
    const size = { columns: 80, rows: 24 };
    const record = { version: 1, plan: { ...plan, size }, running, session: null, end: null };
    writeFileSync(join(hosts, "h.json"), JSON.stringify(record), { mode: 0o600 });
    expect(await at(60)).toBe("context full · Ctrl-\\ r restores\n");
  });

  test.each(["", "null", "[]", "{}", '{"session_id":"../x"}', '{"session_id":"s"}'])(
    "prints nothing for %j",
    async (text) => {
      using world = new CheckpointWorld();
      expect(await world.runWith(text, ["statusline"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    },
  );
});

describe("the user's own status line", () => {
  const chained: [what: string, command: string, shown: string][] = [
    [
      "is shown as it is, above ours",
      "printf '\\033[31mred\\033[0m  \\n\\n two '",
      "\u001b[31mred\u001b[0m  \n\n two \n",
    ],
    ["gets the same input", "wc -c | tr -d ' '", ""],
    ["that fails is left out", "echo partly; exit 3", ""],
    ["that does not exist is left out", "/no/such/program", ""],
    ["that never ends is left out", "tail -f /dev/null | cat", ""],
  ];
  test.each(chained)("%s", async (what, command, shown) => {
    using world = new CheckpointWorld();
    const text = input(world, 10);
    const { stdout, exitCode, stderr } = await world.runWith(text, ["statusline", "--first", command]);
    const above = what.includes("input") ? `${text.length}\n` : shown;
    expect({ stdout, exitCode, stderr }).toEqual({
      stdout: `${above}ctx 43% · 5h 10% → 03:40 · 7d 40% → Tue 04:40\n`,
      exitCode: 0,
      stderr: "",
    });
  });
});

describe("near the cap", () => {
  test("saves one checkpoint per window and session, from the configured percentage on", async () => {
    using world = new CheckpointWorld();
    await world.prompt("s", "Round the totals");
    const at = (five: number, more: object = {}): Promise<unknown> =>
      world.runWith(input(world, five, more), ["statusline"]);
    await at(96.99);
    expect(usageOf(world).saved).toEqual([]);
    await Promise.all([at(97), at(97), at(97.5)]);
    expect(usageOf(world).saved).toEqual([{ window: "five_hour", resetsAt: reset * 1000, sessionId: "s" }]);
    const saved = world.files.of(world.directory);
    expect(saved).toMatchObject({ goal: "Round the totals", reason: "near-cap" });
    expect(saved.seen.usage).toMatch(/^97% of the 5-hour usage limit used, until 2026-/);
    await at(99, { resetsAt: reset + 5 });
    expect(world.files.of(world.directory)).toEqual(saved);
    await at(98, { resetsAt: reset + 18_000 });
    expect(usageOf(world).saved).toHaveLength(2);
    await world.runWith(input(world, 50, { session: "t" }), ["statusline"], {
      env: { AI_RUNTIME_CHECKPOINT_AT_PERCENT: "50" },
    });
    expect(usageOf(world).saved).toHaveLength(3);
  });

  test("rate_limit_event of the stream does the same, without saving twice", async () => {
    using world = new CheckpointWorld();
    const environment = currentEnvironment(world.env);
    const info = { status: "allowed_warning", resetsAt: reset, rateLimitType: "five_hour", utilization: 0.97 };
    const usage = parseRateLimitEvent({ type: "rate_limit_event", rate_limit_info: info }) ?? {};
    const place = { transcriptPath: undefined, directory: world.directory, contextPercent: null };
    expect(await recordUsage(environment, { sessionId: "s", usage, ...place })).toBe(true);
    expect(await recordUsage(environment, { sessionId: "s", usage, ...place })).toBe(false);
    await world.runWith(input(world, 98), ["statusline"]);
    expect(usageOf(world).saved).toHaveLength(1);
  });
});

test("reads usage in every known format", () => {
  const usageIn = (info: object) => parseRateLimitEvent({ type: "rate_limit_event", rate_limit_info: info });
  expect(usageIn({ status: "rejected", resetsAt: reset, rateLimitType: "seven_day" })).toEqual({
    seven_day: { percent: 100, resetsAt: reset * 1000 },
  });
  const unifiedWindows = { five_hour: { utilization: 0.29 }, seven_day: { utilization: 0.5, resetsAt: reset } };
  expect(usageIn({ status: "allowed", rateLimitType: "five_hour", unifiedWindows })).toEqual({
    five_hour: { percent: 29, resetsAt: null },
    seven_day: { percent: 50, resetsAt: reset * 1000 },
  });
  expect(parseRateLimitEvent({ type: "assistant" })).toBeUndefined();
  expect(parseStatusLine('{"session_id":"s","rate_limits":{"five_hour":{"used_percentage":"9"}}}')?.usage).toEqual({});
  expect(findCrossings({ five_hour: { percent: 97, resetsAt: null } }, 97, "s", [])).toHaveLength(1);
});

test("writes nothing when nothing is new", async () => {
  using world = new CheckpointWorld();
  await world.runWith(input(world, 10), ["statusline"]);
  const before = readFileSync(world.files.usagePath, "utf8");
  await world.runWith(input(world, 10), ["statusline"]);
  expect(readFileSync(world.files.usagePath, "utf8")).toBe(before);
  expect(existsSync(world.files.latestPath)).toBe(false);
});

describe("segments", () => {
  test("are those of the setting, and fit the terminal whose width Claude names", async () => {
    using world = new CheckpointWorld();
    world.env["AI_RUNTIME_STATUS_LINE_SEGMENTS"] = "five-hour,context";
    expect((await world.runWith(input(world, 50), ["statusline"])).stdout).toBe("5h 50% → 03:40 · ctx 43%\n");
    world.env["COLUMNS"] = "12";
    expect((await world.runWith(input(world, 50), ["statusline"])).stdout).toBe("ctx 43%\n");
  });

  test("show local times, also after the time zone has changed", async () => {
    using world = new CheckpointWorld();
    world.env["AI_RUNTIME_STATUS_LINE_SEGMENTS"] = "five-hour,seven-day";
    for (const [zone, expected] of [
      ["UTC", "5h 50% → 03:40 · 7d 40% → Tue 04:40\n"],
      ["UTC", "5h 50% → 03:40 · 7d 40% → Tue 04:40\n"],
      ["Asia/Tokyo", "5h 50% → 12:40 · 7d 40% → Tue 13:40\n"],
    ] as const) {
      world.env["TZ"] = zone;
      expect((await world.runWith(input(world, 50), ["statusline"])).stdout).toBe(expected);
    }
  });

  test("count the other sessions that need the user, and only live ones", async () => {
    using world = new CheckpointWorld();
    const hosts = join(world.home, ".local/state/ai-runtime/hosts");
    const records = new HostRecords(join(world.home, ".local/state/ai-runtime"));
    const host = identifyProcess(process.pid);
    if (!host) throw new Error("this process cannot be identified");
    const add = (id: string, sessionId: string, kind: "asking" | "idle", running = host): void => {
      const size = { columns: 80, rows: 24 };
      const plan = {
        id,
        command: ["claude"],
        name: "claude",
        directory: "/p",
        size,
        greeting: null,
        sessionId,
        created: 1,
      };
      const state = kind === "asking" ? ({ kind, about: "question" } as const) : ({ kind, background: false } as const);
      const status = { state, since: 1, title: null, terminals: 0, hangup: null };
      records.write({
        version: 1,
        plan,
        running: { host: running, program: null, socket: "/s" },
        session: null,
        end: null,
        status,
      });
    };
    const line = async (): Promise<string> => (await world.runWith(input(world, 50), ["statusline"])).stdout;
    add("one", "s1", "idle");
    expect(await line()).not.toContain("need");
    add("two", "s2", "asking");
    expect(await line()).toStartWith("1 needs you · ctx 43%");
    add("three", "s3", "asking");
    // The session of this status line itself does not count.
    add("own", "s", "asking");
    expect(await line()).toStartWith("2 need you · ctx 43%");
    for (const id of ["two", "three", "own"]) add(id, "s", "idle");
    expect(await line()).toStartWith("ctx 43%");
    utimesSync(join(hosts, "needs-you"), 1, 1);
    expect(await line()).toStartWith("ctx 43%");
    expect(existsSync(join(hosts, "needs-you"))).toBeFalse();
  });
});

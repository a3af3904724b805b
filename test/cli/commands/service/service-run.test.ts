// The process that a unit starts: which claude, with which arguments and environment, and how it ends.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Receiver } from "../../../support/notify/receiver.ts";
import { type PlacedService, ServiceWorld } from "../../../support/service/service-world.ts";
import { untilFile } from "../../../support/until-file.ts";

const session = "11111111-2222-4333-8444-555555555555";
const other = "21111111-2222-4333-8444-555555555555";
const day = 86_400_000;

async function run(
  world: ServiceWorld,
  service: PlacedService,
  env: Record<string, string> = {},
): Promise<{ exitCode: number; log: string; words: readonly string[] }> {
  const exitCode = await world.start(service, env).exited;
  // Without our hooks (--settings) and the id of a new conversation.
  const words = (world.starts().at(-1)?.words ?? [])
    .join("\0")
    .replaceAll(/(^|\0)--(settings|session-id)\0[^\0]*/g, "");
  const log = existsSync(service.log) ? readFileSync(service.log, "utf8") : "";
  return { exitCode, log, words: words.split("\0").filter((word) => word !== "") };
}

const record = (
  uuid: string,
  parentUuid: string | null,
  type: "user" | "assistant",
  content: unknown,
  time: number,
): string =>
  `${JSON.stringify({ type, uuid, parentUuid, sessionId: session, timestamp: new Date(time).toISOString(), message: { role: type, content } })}\n`;

const asked = (time: number): string => record("u1", null, "user", "hi", time);
const answered = (time: number): string => record("a1", "u1", "assistant", [{ type: "text", text: "hello" }], time);
const calling = (time: number): string =>
  record("a1", "u1", "assistant", [{ type: "tool_use", id: "t1", name: "Bash", input: {} }], time);

/** A transcript of the workspace, in Claude's directory. */
function converse(
  world: ServiceWorld,
  text: string,
  { id = session, age = 0, config = join(world.home, ".claude") } = {},
): string {
  const directory = join(config, "projects", world.workspace.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${id}.jsonl`);
  writeFileSync(path, text);
  const time = new Date(Date.now() - age);
  utimesSync(path, time, time);
  return path;
}

describe.skipIf(process.platform !== "linux")("the start of a service", () => {
  const now = Date.now();

  test("runs in its workspace, with the environment of the install", async () => {
    using world = new ServiceWorld();
    const service = await world.place("--env", "MINE=a b", "--", "--model", "opus", "Begin");
    const { exitCode, words, log } = await run(world, service, { NOTIFY_SOCKET: "/nowhere", WATCHDOG_PID: "1" });
    expect(exitCode).toBe(0);
    expect(words).toEqual(["--model", "opus", "Begin"]);
    expect(world.starts()[0]?.words.join(" ")).toMatch(/--session-id [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
    expect(world.starts()[0]?.directory).toBe(world.workspace);
    expect(log).toMatch(
      /^\S+ started claude \(plain, process \d+\): this workspace has no conversation yet\n\S+ claude ended: exit code 0\n$/,
    );
    const environment = new Map(
      readFileSync(join(world.control, "environment"), "utf8")
        .split("\n")
        .map((line): [string, string] => [line.split("=")[0] ?? "", line.slice(line.indexOf("=") + 1)]),
    );
    expect(environment.get("DISABLE_AUTOUPDATER")).toBe("1");
    expect(environment.get("HOME")).toBe(world.home);
    expect(environment.get("TERM")).toBe("xterm-256color");
    expect(environment.get("MINE")).toBe("a b");
    expect(environment.get("PATH")?.split(":")).toEqual(expect.arrayContaining([join(world.home, "bin"), "/usr/bin"]));
    for (const name of ["NOTIFY_SOCKET", "WATCHDOG_PID"]) expect(environment.has(name)).toBe(false);
    expect(readFileSync(join(world.control, "terminal"), "utf8")).toMatch(/^\/dev\/(pts\/\d+|tty\w+)\n$/);
    // Files of claude get the user's umask; our own files are private.
    expect(statSync(join(world.control, "environment")).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(statSync(service.log).mode & 0o777).toBe(0o600);
  });

  test("gives claude the user's settings and our hooks in a file that is removed when claude has ended", async () => {
    using world = new ServiceWorld();
    const own = join(world.home, "own.json");
    writeFileSync(own, JSON.stringify({ env: { OF_THE_USER: "s3cret" } }));
    await run(world, await world.place("--", "--settings", own, "Begin"));
    const words = world.starts()[0]?.words ?? [];
    const directory = join(world.home, ".config/session-snapshot/run-settings");
    expect(words[words.indexOf("--settings") + 1]).toStartWith(`${directory}/`);
    expect(words.join(" ")).not.toContain("s3cret");
    expect(readdirSync(directory)).toEqual([]);
  });

  test("continues a conversation in its last permission mode when that is stricter than the flags", async () => {
    using world = new ServiceWorld();
    const service = await world.place("--", "--dangerously-skip-permissions", "--model", "opus");
    const prompt = asked(now).replace("{", '{"permissionMode":"plan",');
    converse(world, prompt + answered(now));
    const { words, log } = await run(world, service);
    expect(words).toEqual(["--continue", "--permission-mode", "plan", "--model", "opus"]);
    expect(log).toContain("in permission mode plan, the conversation's last one");
  });

  const cases: [why: string, make: (world: ServiceWorld) => void, words: string[], log: RegExp][] = [
    [
      "continues a conversation, without the first prompt",
      (world) => void converse(world, asked(now) + answered(now)),
      ["--continue", "--model", "opus"],
      /--continue, .*: continuing conversation \S+\n/,
    ],
    [
      "prompts an unanswered conversation to continue",
      (world) => void converse(world, asked(now) + calling(now)),
      ["--continue", "PROMPT", "--model", "opus"],
      /prompted to continue/,
    ],
    [
      "does not continue an empty one",
      (world) => void converse(world, ""),
      ["--model", "opus", "Begin"],
      /plain, .* is empty/,
    ],
    [
      "does not continue one without messages",
      (world) => void converse(world, '{"type":"mode"}\n'),
      ["--model", "opus", "Begin"],
      /plain, .* is empty/,
    ],
    [
      "does not continue an old one, by the time of the file",
      (world) => void converse(world, asked(now) + answered(now), { age: 8 * day }),
      ["--model", "opus", "Begin"],
      /plain, .* 8d old/,
    ],
    [
      "does not continue an old one, by the time of its last message",
      (world) => void converse(world, asked(now - 9 * day) + answered(now - 8 * day)),
      ["--model", "opus", "Begin"],
      /plain, .* 8d old/,
    ],
    [
      "repairs a torn one first",
      (world) => void converse(world, `${asked(now)}${answered(now)}{"type":"user","uu`),
      ["--continue", "--model", "opus"],
      /it was damaged and has been repaired/,
    ],
    [
      "does not continue an unreadable one",
      (world) => void converse(world, `\0\0\0\0{"type":\n${"\0".repeat(500)}\nnonsense\n`),
      ["--model", "opus", "Begin"],
      /plain, .* is empty/,
    ],
    [
      "ignores one in the workspace itself",
      (world) => void converse(world, asked(now) + answered(now), { config: join(world.workspace, ".claude") }),
      ["--model", "opus", "Begin"],
      /this workspace has no conversation yet/,
    ],
    [
      "names it with --resume when a newer one has no messages",
      (world) => {
        converse(world, asked(now) + answered(now), { age: 60_000 });
        converse(world, '{"type":"mode"}\n', { id: other });
      },
      ["--resume", session, "--model", "opus"],
      /--resume, .* a newer one is empty/,
    ],
    [
      "does not continue one that is open in another claude",
      (world) => {
        converse(world, asked(now) + answered(now));
        mkdirSync(join(world.home, ".claude/sessions"), { recursive: true });
        const stat = readFileSync(`/proc/${process.pid}/stat`, "utf8");
        const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
        writeFileSync(
          join(world.home, ".claude/sessions", `${process.pid}.json`),
          JSON.stringify({ pid: process.pid, sessionId: session, procStart }),
        );
      },
      ["--model", "opus", "Begin"],
      /plain, .* is open in another claude/,
    ],
  ];
  test.each(cases)("%s", async (_why, make, expected, line) => {
    using world = new ServiceWorld();
    make(world);
    const service = await world.place("--", "--model", "opus", "Begin");
    const { words, log } = await run(world, service);
    expect(words.map((word) => (word.startsWith("[AI-RUNTIME CONTEXT RESTORED]") ? "PROMPT" : word))).toEqual(expected);
    expect(log).toMatch(line);
  });

  test("respects fresh-after and Claude's directory", async () => {
    using world = new ServiceWorld();
    world.env["CLAUDE_CONFIG_DIR"] = join(world.home, "elsewhere");
    converse(world, asked(now) + answered(now), { age: 2 * day, config: join(world.home, "elsewhere") });
    expect((await run(world, await world.place())).words[0]).toBe("--continue");
    expect((await run(world, await world.place("--fresh-after", "1d"))).log).toMatch(/plain, .* 2d old, more than 1d/);
  });

  test("exits with claude's exit code, or 128 plus the signal number", async () => {
    using world = new ServiceWorld();
    const service = await world.place();
    world.writeControl("code", "7");
    expect((await run(world, service)).exitCode).toBe(7);
    world.writeControl("signal", "9");
    const { exitCode, log } = await run(world, service);
    expect(exitCode).toBe(137);
    expect(log).toContain("claude ended: SIGKILL\n");
  });

  test("stops claude and exits with 0 on SIGTERM; refuses a second process meanwhile", async () => {
    using world = new ServiceWorld();
    const service = await world.place();
    world.writeControl("stays", "");
    const host = world.start(service);
    await untilFile(join(world.control, "start.0"), () => true);
    await untilFile(service.log, (text) => text.includes("started claude"));
    const second = world.start(service);
    expect(await second.exited).toBe(5);
    expect(await second.stderr.text()).toContain("is already running");
    host.kill("SIGTERM");
    expect(await host.exited).toBe(0);
    expect(readFileSync(service.log, "utf8")).toMatch(/stop requested\n\S+ claude ended: exit code 143\n$/);
    expect(world.starts()).toHaveLength(1);
  });

  test("fails without its workspace or claude, and logs the reason", async () => {
    using world = new ServiceWorld();
    const service = await world.place();
    rmSync(join(world.home, "bin/claude"));
    expect(await run(world, service)).toMatchObject({
      exitCode: 127,
      log: expect.stringContaining("failed: claude is not on PATH"),
    });
    rmSync(world.workspace, { recursive: true });
    expect(await run(world, service)).toMatchObject({
      exitCode: 4,
      log: expect.stringContaining("failed: there is no directory"),
    });
  });

  test("gives up after the burst where the system would restart it forever", async () => {
    using world = new ServiceWorld();
    const service = await world.place("--platform", "darwin", "--burst", "2");
    world.writeControl("code", "1");
    expect((await run(world, service)).exitCode).toBe(1);
    expect((await run(world, service)).exitCode).toBe(1);
    // Exit code 0, so that launchd does not restart it.
    expect(await run(world, service)).toMatchObject({
      exitCode: 0,
      log: expect.stringContaining("gave up: the service was started"),
    });
    expect(world.starts()).toHaveLength(2);
  });

  test("rotates the log, and logs also reads the old file", async () => {
    using world = new ServiceWorld();
    const service = await world.place();
    writeFileSync(service.log, "2026-01-01T00:00:00.000Z old words\n".repeat(40_000));
    await run(world, service);
    expect(readFileSync(`${service.log}.old`, "utf8")).toContain("old words");
    expect(readFileSync(service.log, "utf8").split("\n")).toHaveLength(3);
    const { stdout } = await world.run("service", "logs", "-n", "3");
    expect(stdout.split("\n").map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "old words",
      expect.stringMatching(/^started claude/),
      "claude ended: exit code 0",
      "",
    ]);
  });
});

describe.skipIf(process.platform !== "linux")("a service with a notification channel", () => {
  test("tells that its claude died, and that it stopped trying", async () => {
    await using receiver = new Receiver("answers");
    using world = new ServiceWorld();
    const service = await world.place("--", "Begin");
    const channel = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_INTERVAL_SECONDS: "0" };
    world.writeControl("code", "3");
    expect((await run(world, service, channel)).exitCode).toBe(3);
    await receiver.untilReceived(1);
    // Where the system does not count starts, as on macOS, the service does.
    const path = join(world.home, ".local/state/ai-runtime/services", `${service.slug}.json`);
    const record = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...record, startLimit: { burst: 1, seconds: 600 } }));
    await run(world, service, channel);
    await receiver.untilReceived(2);
    expect((await run(world, service, channel)).exitCode).toBe(0);
    await receiver.untilReceived(3);
    const told = receiver.received.flatMap(({ body }) => (JSON.parse(body) as { events: object[] }).events);
    const facts = { source: "service", id: service.slug };
    const died = { ...facts, event: "failed", cause: "exit code 3" };
    expect(told).toMatchObject([died, died, { ...facts, event: "gave-up", cause: "crash" }]);
  });
});

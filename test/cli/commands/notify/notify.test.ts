// Notifications of the built program: what each channel receives, and that a bad receiver has no effect on a run.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finishingClaude } from "../../../support/notify/finishing-claude.ts";
import { type Behavior, Receiver } from "../../../support/notify/receiver.ts";
import { run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { OuterTerminal, sandboxWithProgram } from "../../../support/terminal/outer-terminal.ts";
import { until } from "../../../support/until.ts";

const task = "A secret task";

/** A stand-in on the PATH that records its words, one per line, and what it reads. */
function standIn(sandbox: Sandbox, name: string): () => string | undefined {
  const path = join(sandbox.binDir, name);
  const record = join(sandbox.root, `${name}.txt`);
  writeFileSync(
    path,
    `#!/bin/sh\n{ printf '%s\\n' "$@"; cat; env | grep ^AI_RUNTIME_NOTIFY_EVENT; } >${record}.new\nmv ${record}.new ${record}\n`,
  );
  chmodSync(path, 0o755);
  return () => (existsSync(record) ? readFileSync(record, "utf8") : undefined);
}

describe("a run that is done", () => {
  test("tells ntfy, tersely and with the token", async () => {
    await using receiver = new Receiver("answers");
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = { AI_RUNTIME_NOTIFY_NTFY_URL: `${receiver.url}/topic`, AI_RUNTIME_NOTIFY_NTFY_TOKEN: "tk_1" };
    expect(await run(sandbox, ["run", task], { env })).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    const [message] = await receiver.untilReceived(1);
    expect(message).toMatchObject({ path: "/topic", body: expect.stringMatching(/^run [\w-]+ is done$/) });
    expect(message?.headers).toMatchObject({ title: "ai-runtime: Done", authorization: "Bearer tk_1", priority: "3" });
    expect(JSON.stringify(message)).not.toMatch(/secret/);
  });

  test("tells a webhook, with a signature that proves the body", async () => {
    await using receiver = new Receiver("answers");
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_WEBHOOK_SECRET: "key" };
    await run(sandbox, ["run", task], { env: { ...env, AI_RUNTIME_NOTIFY_TERSE: "never" } });
    const [message] = await receiver.untilReceived(1);
    const hash = new Bun.CryptoHasher("sha256", "key").update(message?.body ?? "").digest("hex");
    expect(message?.headers).toMatchObject({
      "x-ai-runtime-signature": `sha256=${hash}`,
      "x-ai-runtime-event": "done",
    });
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      version: 1,
      event: "done",
      events: [{ event: "done", source: "run", title: task, directory: sandbox.projectDir, until: null }],
    });
  });

  test("starts a command without a shell, and shows it on the desktop", async () => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const told = standIn(sandbox, "tell");
    const shown = standIn(sandbox, "notify-send");
    const env = { AI_RUNTIME_NOTIFY_COMMAND_WORDS: "tell,$(touch bad)", AI_RUNTIME_NOTIFY_DESKTOP: "done" };
    await run(sandbox, ["run", task], { env });
    const text = await until(told, "the command");
    expect(text.split("\n")[0]).toBe("$(touch bad)");
    expect(text).toContain("AI_RUNTIME_NOTIFY_EVENT=done");
    expect(JSON.parse(text.split("\n")[1] ?? "")).toMatchObject({ event: "done", events: [{ title: task }] });
    const words = (await until(shown, "the desktop")).split("\n");
    expect(words.slice(0, 3)).toEqual(["--app-name=ai-runtime", "--", "ai-runtime: Done"]);
    expect(words[3]).toContain(` is done · ${task} · ${sandbox.projectDir}`);
  });

  test("sends nothing without a configured channel, and nothing for other events", async () => {
    await using receiver = new Receiver("answers");
    await using sandbox = await sandboxWithClaude(finishingClaude);
    await run(sandbox, ["run", task]);
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_WEBHOOK: "failed,gave-up" };
    await run(sandbox, ["run", task], { env });
    expect(existsSync(join(sandbox.home, ".local/state/ai-runtime/notify"))).toBeFalse();
    expect(receiver.received).toEqual([]);
  });
});

test("a run that gives up is told as that", async () => {
  await using receiver = new Receiver("answers");
  await using sandbox = await sandboxWithClaude("kill -9 $$");
  const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_MAX_ATTEMPTS: "2" };
  expect((await run(sandbox, ["run", task], { env })).exitCode).not.toBe(0);
  const [message] = await receiver.untilReceived(1);
  expect(JSON.parse(message?.body ?? "")).toMatchObject({ events: [{ event: "gave-up", cause: "crash" }] });
});

describe("a bad receiver", () => {
  const bad: [string, () => Receiver, RegExp][] = [
    ["answers with 500", () => new Receiver("fails"), /answered with status 500/],
    ["hangs", () => new Receiver("hangs"), /no answer within 0\.5 s/],
    ["has a certificate that is not trusted", () => new Receiver("answers", { selfSigned: true }), /certificate/i],
    ["redirects", () => new Receiver("redirects"), /answered with status 307/],
  ];
  test.each(bad)("that %s does not affect the run, and doctor reports it", async (_, start, problem) => {
    await using receiver = start();
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_TIMEOUT_SECONDS: "0.5" };
    expect(await run(sandbox, ["run", task], { env })).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    const state = join(sandbox.home, ".local/state/ai-runtime/notify/webhook.json");
    await until(() => existsSync(state), "the failure");
    const doctor = await run(sandbox, ["doctor", "--json"], { env });
    const { findings } = JSON.parse(doctor.stdout) as { findings: { name: string; message: string; fix: string }[] };
    const found = findings.find(({ name }) => name === "notifications");
    expect(found?.message).toMatch(problem);
    expect(found?.message).toMatch(/^webhook: the last message \(1 event, .*\) was not delivered: 127\.0\.0\.1/);
    expect(found?.fix).toBe("ai-runtime notify test --channel webhook");
  });

  test("that never stops answering is left at once, and counts as success", async () => {
    await using receiver = new Receiver("floods");
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_TIMEOUT_SECONDS: "30" };
    expect(await run(sandbox, ["run", task], { env })).toMatchObject({ exitCode: 0 });
    const state = join(sandbox.home, ".local/state/ai-runtime/notify/webhook.json");
    await until(() => existsSync(state), "the delivery");
    expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ failure: null });
  });

  test("that hangs does not delay a run: the run ends while the request is open", async () => {
    await using receiver = new Receiver("hangs");
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_TIMEOUT_SECONDS: "60" };
    expect(await run(sandbox, ["run", task], { env })).toMatchObject({ exitCode: 0 });
    await until(() => receiver.open === 1, "the open request");
  });
});

describe("quiet hours and the interval", () => {
  const behavior: Behavior = "answers";
  const minutes = (offset: number): string => new Date(Date.now() + offset * 60_000).toISOString().slice(11, 16);

  test("in quiet hours, events are kept and not sent", async () => {
    await using receiver = new Receiver(behavior);
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const hours = `${minutes(-5)}-${minutes(60)}`;
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_QUIET_HOURS: hours };
    await run(sandbox, ["run", task], { env });
    const { AI_RUNTIME_QUIET_HOURS: _, ...loud } = env;
    // Nothing waits for quiet hours here, so this message is the first one that the receiver gets.
    expect(await run(sandbox, ["notify", "test", "--event", "failed"], { env: loud })).toMatchObject({ exitCode: 0 });
    expect(receiver.events).toEqual(["failed"]);
  });

  test("events of one interval are one message", async () => {
    await using receiver = new Receiver(behavior);
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = { AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url, AI_RUNTIME_NOTIFY_INTERVAL_SECONDS: "2" };
    await run(sandbox, ["run", task], { env });
    await receiver.untilReceived(1);
    await Promise.all([1, 2, 3].map(() => run(sandbox, ["run", task], { env })));
    await until(
      () => receiver.events.length === 4,
      () => JSON.stringify(receiver.events),
    );
    expect(receiver.received.length).toBeLessThan(4);
  });
});

describe("notify test", () => {
  test("reports each channel, and fails when one does", async () => {
    await using receiver = new Receiver("answers");
    await using sandbox = await sandboxWithClaude(finishingClaude);
    standIn(sandbox, "tell");
    const env = {
      AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url,
      AI_RUNTIME_NOTIFY_COMMAND_WORDS: "missing-program",
      AI_RUNTIME_NOTIFY_TERMINAL: "all",
    };
    const mixed = await run(sandbox, ["notify", "test"], { env });
    expect(mixed.exitCode).toBe(3);
    expect(mixed.stdout).toMatch(
      /^terminal: failed: stderr is not a terminal\nwebhook: sent\ncommand: failed: missing-program/,
    );
    const json = await run(sandbox, ["notify", "test", "--channel", "webhook", "--json"], { env });
    expect(json).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"problem":null') });
    const bad = await run(sandbox, ["notify", "test"], { env: { AI_RUNTIME_NOTIFY_WEBHOOK_URL: "ftp://x" } });
    expect(bad).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("must be an address like") });
    const none = await run(sandbox, ["notify", "test"]);
    expect(none).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("no channel is configured") });
  });

  test("uses a shell only when asked", async () => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const env = {
      AI_RUNTIME_NOTIFY_COMMAND_WORDS: "cat >$1.txt,said",
      AI_RUNTIME_NOTIFY_COMMAND_SHELL: "on",
    };
    expect(await run(sandbox, ["notify", "test"], { env })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(sandbox.projectDir, "said.txt"), "utf8")).toContain('"event":"done"');
  });
});

test("a host sends OSC 9 to its attached terminal, and the program's bytes stay as they are", async () => {
  const screen = "printf '✻ 5-hour limit reached · retrying in 2h (1:37am) · attempt 1/1\\nesc to interrupt'";
  const { sandbox, env } = await sandboxWithProgram(`${screen}; read line; printf 'end\\n'`);
  await using _ = sandbox;
  await using outer = new OuterTerminal(sandbox, ["cclaude"], { ...env, AI_RUNTIME_NOTIFY_TERMINAL: "limit" });
  await outer.until("\x1b]9;ai-runtime: Usage limit: session ");
  outer.type("\r");
  const { bytes, exitCode } = await outer.end();
  expect(exitCode).toBe(0);
  // oxlint-disable-next-line no-control-regex
  const rest = bytes.toString("utf8").replace(/\x1b\]9;[^\x07]*\x07/g, "");
  expect(rest).toBe("✻ 5-hour limit reached · retrying in 2h (1:37am) · attempt 1/1\r\nesc to interrupt\r\nend\r\n");
});

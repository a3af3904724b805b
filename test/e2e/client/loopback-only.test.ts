// The sandbox's proxy only sees programs that use it, so strace lists every address that the programs contact.
import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { executable } from "../../support/executable.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

const missing =
  process.platform !== "linux" ? "needs Linux" : Bun.which("strace") === null ? "strace is not installed" : undefined;
// CI must check this promise, so a missing strace fails there instead of skipping.
const skip = missing === "needs Linux" || (missing !== undefined && process.env["CI"] === undefined);

forEachClaude((version) => {
  const title = "sends packets to loopback only";
  test.skipIf(skip)(missing === undefined ? title : `${title} (${missing})`, async () => {
    await using api = await fakeAnthropic(story().callsTool("Bash", { command: "echo one > a.txt" }).says("Done."));
    await using sandbox = await createSandbox({ claude: version });
    const log = join(sandbox.root, "strace.log");
    const trace = ["-f", "-qq", "--seccomp-bpf", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", log];

    const run = await sandbox.run(
      ["strace", ...trace, "claude", "-p", "Write a file", "--dangerously-skip-permissions"],
      {
        env: sandbox.claudeEnv(api),
      },
    );

    expect(run).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    const addressed = internetAddresses(await Bun.file(log).text());
    expect(addressed).toContain(`127.0.0.1:${new URL(api.url).port}`);
    expect(addressed.filter((address) => !isLoopback(address))).toBeEmpty();
  });
});

const title = "ai-runtime, cclaude and session-snapshot send no packet, whatever the command";
test.skipIf(skip)(missing === undefined ? title : `${title} (${missing})`, async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  const claude = join(sandbox.binDir, "claude");
  await Bun.write(claude, "#!/bin/sh\necho '2.1.326 (Claude Code)'; exit 9\n");
  await chmod(claude, 0o755);
  const transcript = join(sandbox.configDir, "projects/-p/some.jsonl");
  await Bun.write(transcript, `${"x".repeat(1_000)}\n`);
  const stdin = JSON.stringify({ session_id: "some", transcript_path: transcript, hook_event_name: "Stop" });
  const log = join(sandbox.root, "strace.log");
  const commands = [
    ["session-snapshot", "install"],
    ["session-snapshot", "hook"],
    ["session-snapshot", "status"],
    ["session-snapshot", "verify", "--all"],
    ["session-snapshot", "clean", "--all", "--yes"],
    ["ai-runtime", "install"],
    ["ai-runtime", "hook"],
    ["ai-runtime", "statusline"],
    ["ai-runtime", "run", "Do it"],
    ["ai-runtime", "status"],
    ["ai-runtime", "checkpoint", "save", "--goal", "g"],
    ["ai-runtime", "service", "plan"],
    ["ai-runtime", "doctor"],
    ["ai-runtime", "demo", "--fast"],
    ["ai-runtime", "uninstall"],
    ["cclaude", "-p", "hi"],
  ];
  for (const [program = "", ...words] of commands) {
    const trace = ["-f", "-qq", "--seccomp-bpf", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-A", "-o", log];
    await sandbox.run(["strace", ...trace, join(sandbox.binDir, program), ...words], { stdin });
    expect([program, ...words, internetAddresses(await Bun.file(log).text())]).toEqual([program, ...words, []]);
  }
  expect(sandbox.outsideAttempts).toEqual([]);
});

test("this check flags outside addresses, IPv4-mapped addresses and name lookups", () => {
  const log = [
    '1 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 EINPROGRESS',
    '1 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0',
    '1 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::ffff:192.0.2.1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
    '1 connect(3, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
    '1 connect(3, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0',
  ].join("\n");
  const addresses = internetAddresses(log);
  expect(addresses).toEqual(["192.0.2.1:443", "127.0.0.53:53", "::ffff:192.0.2.1:443", "::1:80"]);
  expect(addresses.map(isLoopback)).toEqual([false, false, false, true]);
});

function internetAddresses(log: string): readonly string[] {
  const pattern = /sa_family=AF_INET6?, sin6?_port=htons\((\d+)\),.*?(?:inet_addr\(|AF_INET6, )"([^"]+)"/g;
  return [...log.matchAll(pattern)].map(([, port, address]) => `${address}:${port}`);
}

// A name server on loopback forwards queries, so a lookup counts as outside.
function isLoopback(address: string): boolean {
  return /^(127\.|::1:|::ffff:127\.)/.test(address) && !address.endsWith(":53");
}

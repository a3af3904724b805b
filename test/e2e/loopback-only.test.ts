// The sandbox's proxy sees only programs that heed it. Here the kernel says whom the client really spoke to.
import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { forEachClaude } from "../support/claude-versions.ts";
import { executable } from "../support/executable.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { createSandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";

const missing =
  process.platform !== "linux" ? "needs Linux" : Bun.which("strace") === null ? "strace is not installed" : undefined;
// On CI its absence is a failure: a promise that nobody checks is not kept.
const skip = missing === "needs Linux" || (missing !== undefined && process.env["CI"] === undefined);

forEachClaude((version) => {
  const promise = "no packet is addressed to anyone but loopback";
  test.skipIf(skip)(missing === undefined ? promise : `${promise} (${missing})`, async () => {
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

const promise = "our own programs address nobody at all, whatever they are asked for";
test.skipIf(skip)(missing === undefined ? promise : `${promise} (${missing})`, async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  const claude = join(sandbox.binDir, "claude");
  await Bun.write(claude, "#!/bin/sh\necho '2.1.325 (Claude Code)'; exit 9\n");
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
    ["session-snapshot", "clean", "--yes"],
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

test("an address outside, a mapped one and a name lookup are all told from loopback", () => {
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

// A name server on loopback asks others in turn, so a lookup counts as outside.
function isLoopback(address: string): boolean {
  return /^(127\.|::1:|::ffff:127\.)/.test(address) && !address.endsWith(":53");
}

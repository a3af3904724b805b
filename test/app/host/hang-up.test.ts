// A host whose last client leaves, frame by frame.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../support/executable.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import { TestClient } from "../../support/terminal/host-client.ts";
import { hostRecord, startHost, untilHost } from "../../support/terminal/host-world.ts";

const world = (): Promise<Sandbox> => createSandbox({ claude: "none" });
const endAtOnce = { AI_RUNTIME_ON_HANGUP: "end" };
const attach = (path: string, version?: number): Promise<TestClient> =>
  TestClient.attach(path, undefined, null, version);

test("hangs up the program when the last client is lost, but not before", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"], "test", endAtOnce);
  using first = await attach(path);
  const second = await attach(path);
  second[Symbol.dispose]();
  await untilHost(sandbox, ({ status }) => status?.terminals === 1);
  expect(hostRecord(sandbox)).toMatchObject({ end: null, status: { hangup: null } });
  first[Symbol.dispose]();
  const { end } = await untilHost(sandbox, (record) => record.end !== null);
  expect(end).toMatchObject({ signal: "SIGHUP" });
});

test.each([
  ["detaches", undefined],
  ["is of version 0.1 and cannot say how it leaves", 1],
])("keeps the program when the last client %s", async (_, version) => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"], "test", endAtOnce);
  const client = await attach(path, version);
  if (version === undefined) client.say({ kind: "leave", how: "detach" });
  client[Symbol.dispose]();
  await untilHost(sandbox, ({ status }) => status?.terminals === 0);
  using again = await attach(path);
  again.type("still here\r");
  await again.untilText("still here\nstill here");
  expect(hostRecord(sandbox)).toMatchObject({ end: null, status: { hangup: null, terminals: 1 } });
});

test("ends with the client that started it, when that is gone before its first frame", async () => {
  await using sandbox = await world();
  const size = { columns: 80, rows: 24 };
  const plan = { id: "test", command: ["/bin/cat"], name: "cat", directory: sandbox.projectDir, size };
  const host = sandbox.spawn([executable, "terminal-host", "test"], { stdin: "open" });
  host.write(
    `${JSON.stringify({ plan: { ...plan, startsAttached: true, sessionId: null }, run: {}, terminal: null })}\n`,
  );
  await host.untilOutput(/"ready".*\}/);
  const { socket } = JSON.parse(host.stdout) as { socket: string };
  const client = await TestClient.connect(socket);
  host.closeInput();
  client[Symbol.dispose]();
  expect(await host.exited).toBe(1);
  expect(readdirSync(join(sandbox.home, ".local/state/ai-runtime/hosts"))).toEqual([]);
});

// The socket of a host: only its user can open it, and it is replaced when its host is dead.
import { expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeFrame } from "../../../src/core/host/frames.ts";
import { hostRecord, startHost } from "../../support/terminal/host-world.ts";
import { TestClient } from "../../support/terminal/host-client.ts";
import { anotherUser, isRoot } from "../../support/terminal/impostor.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import { until } from "../../support/until.ts";

const world = (): Promise<Sandbox> => createSandbox({ claude: "none" });
const size = { columns: 80, rows: 24 };

test("only the user can access the socket and its directory", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  expect(path).toBe(join(sandbox.root, "run/ai-runtime/test.sock"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
});

test.skipIf(process.geteuid?.() !== 0 || Bun.which("setpriv") === null)(
  "refuses another user even when file permissions allow access",
  async () => {
    await using sandbox = await world();
    const path = await startHost(sandbox, ["/bin/cat"]);
    for (const open of [sandbox.root, join(sandbox.root, "run"), join(path, "..")]) chmodSync(open, 0o755);
    chmodSync(path, 0o777);
    const program = `
      const hello = ${JSON.stringify([...encodeFrame({ kind: "hello", version: 1, size, notice: null })])};
      const leave = (how) => { console.log(how); process.exit(0); };
      await Bun.connect({ unix: ${JSON.stringify(path)}, socket: {
        open: (socket) => void socket.write(Uint8Array.from(hello)),
        data: () => leave("let in"),
        close: () => leave("closed"),
        error: () => leave("closed"),
        connectError: () => leave("closed"),
      } }).catch(() => leave("closed"));`;
    const as = (user: number): readonly [string, ...string[]] => [
      "setpriv",
      `--reuid=${user}`,
      "--clear-groups",
      process.execPath,
      "-e",
      program,
    ];
    expect((await sandbox.run(as(65_534), { cwd: "/" })).stdout).toBe("closed\n");
    expect((await sandbox.run(as(0), { cwd: "/" })).stdout).toBe("let in\n");
  },
);

const unsafeDirectories: [string, (path: string) => void][] = [
  [
    "can be opened by others",
    (path) => {
      mkdirSync(path);
      chmodSync(path, 0o755);
    },
  ],
  [
    "is a symbolic link",
    (path) => {
      mkdirSync(`${path}-elsewhere`, 0o700);
      symlinkSync(`${path}-elsewhere`, path);
    },
  ],
  ["is in a directory that others can change", (path) => chmodSync(dirname(path), 0o777)],
  ["is in a directory that is gone", (path) => rmSync(dirname(path), { recursive: true })],
];
const foreignDirectories: typeof unsafeDirectories = [
  [
    "is another user's",
    (path) => {
      mkdirSync(path, 0o700);
      chownSync(path, anotherUser, anotherUser);
    },
  ],
  ["is in a directory of another user", (path) => chownSync(dirname(path), anotherUser, anotherUser)],
];

test.each([...unsafeDirectories, ...(isRoot ? foreignDirectories : [])])(
  "uses the state directory instead of a socket directory that %s",
  async (_, make) => {
    await using sandbox = await world();
    const refused = join(sandbox.root, "run/ai-runtime");
    make(refused);
    const path = await startHost(sandbox, ["/bin/cat"]);
    expect(path).toBe(join(sandbox.home, ".local/state/ai-runtime/sockets/test.sock"));
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    expect(existsSync(join(refused, "test.sock"))).toBe(false);
    using client = await TestClient.attach(path);
    client.type("here\r");
    await client.untilText("here\nhere");
  },
);

test("replaces the socket of a dead host, but not of a running one", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  const first = hostRecord(sandbox).running;
  expect(startHost(sandbox, ["/bin/cat"])).rejects.toThrow("is already running");
  process.kill(first?.host.pid ?? 0, "SIGKILL");
  using watcher = (await TestClient.connect(path).catch(() => undefined)) ?? { [Symbol.dispose]: () => {} };
  void watcher;
  expect(existsSync(path)).toBe(true);
  await untilDead(first?.host.pid ?? 0);
  using client = await TestClient.attach(await startHost(sandbox, ["/bin/cat"]));
  client.type("new\r");
  await client.untilText("new\nnew");
});

test("recreates a removed socket on SIGUSR1", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  rmSync(join(path, ".."), { recursive: true });
  process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGUSR1");
  using client = await attachWhenOpen(path);
  client.type("back\r");
  await client.untilText("back\nback");
});

/** Retries, because the file exists a moment before the host listens on it. */
const attachWhenOpen = (path: string): Promise<TestClient> =>
  until(() => existsSync(path) && TestClient.attach(path).catch(() => false as const), `a host on ${path}`);

const untilDead = (pid: number): Promise<true> =>
  until(() => !existsSync(`/proc/${pid}/exe`), `the end of process ${pid}`);

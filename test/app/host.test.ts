// A host and its clients, frame by frame: several at once, of several sizes, broken, frozen and gone.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { startHost as startAnother } from "../../src/app/hosts.ts";
import { encodeFrame } from "../../src/core/frames.ts";
import { hostRecord, startHost } from "../support/host-world.ts";
import { TestClient } from "../support/host-client.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { untilFile } from "../support/until-file.ts";

setDefaultTimeout(120_000);

const world = (): Promise<Sandbox> => createSandbox({ claude: "none" });
const size = { columns: 80, rows: 24 };

/** Says how large its terminal is, whenever that changes, and repeats each line. */
const teller = [
  process.execPath,
  "-e",
  `const tell = () => console.log(process.stdout.rows + " " + process.stdout.columns);
  process.stdout.on("resize", tell);
  tell();
  for await (const line of console) console.log("<" + line + ">");`,
] as const;

test("what is typed reaches the program, and everybody sees what it prints", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  using one = await TestClient.attach(path);
  using two = await TestClient.attach(path);
  one.type("hello\r");
  await one.untilText("hello\nhello");
  await two.untilText("hello\nhello");
  expect(two.screen.view()).toEqual(one.screen.view());
});

test("the exit code is told to all, and recorded; the socket is gone", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/sh", "-c", "read line; printf 'last words'; exit 7"]);
  using one = await TestClient.attach(path);
  using two = await TestClient.attach(path);
  one.type("\r");
  for (const client of [one, two]) {
    await client.until(() => client.isClosed, "the end");
    expect(client.end).toEqual({ exitCode: 7, signal: null });
    expect(client.text).toContain("last words");
  }
  expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 7, signal: null });
});

test("who has just come, and still reads how to leave, sees the last words too", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/sh", "-c", "read line; echo last words; exit 7"]);
  using one = await TestClient.attach(path);
  using late = await TestClient.attach(path, size, "how to leave");
  await late.untilText("how to leave");
  one.type("\r");
  await late.until(() => late.isClosed, "the end");
  expect(late.text).toContain("last words");
  expect(late.text).not.toContain("how to leave");
});

test("who comes later sees the screen as it is, with its colours and modes", async () => {
  await using sandbox = await world();
  const script = String.raw`printf '\033[?1049h\033[2J\033[5;10H\033[1;31mfull \344\275\240\345\245\275\033[?1003h\033[?1006h\033[?2004h\033[?25l'; read line`;
  const path = await startHost(sandbox, ["/bin/sh", "-c", script]);
  using one = await TestClient.attach(path);
  await one.untilText("full 你好");
  using two = await TestClient.attach(path);
  expect(two.screen.view()).toEqual(one.screen.view());
  expect(two.screen.view()).toMatchObject({ alternate: true, rest: expect.stringContaining("\x1b[?1003h") as string });
});

test("two sizes: the smaller wins, the larger one shows the same, and gets its own back", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, teller);
  using large = await TestClient.attach(path, { columns: 100, rows: 40 });
  await large.untilText("40 100");
  {
    using small = await TestClient.attach(path, { columns: 60, rows: 20 });
    await small.untilText("20 60");
    await large.untilText("20 60");
    small.type("x\r");
    await small.untilText("<x>");
    await large.untilText("<x>");
    expect(large.screen.text().rows.slice(0, 20)).toEqual(small.screen.text().rows);
    expect(large.screen.text().cursor).toEqual(small.screen.text().cursor);
  }
  await large.until(() => large.text.lastIndexOf("40 100") > large.text.lastIndexOf("20 60"), "its own size again");
});

test.each([
  ["noise", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["a frame larger than allowed", Buffer.from([0x7f, 0xff, 0xff, 0xff, 2])],
  ["input before a hello", Buffer.from([0, 0, 0, 2, 2, 0x78])],
  [
    "another version",
    Buffer.concat([Buffer.from([0, 0, 0, 49, 1]), Buffer.from('{"version":9,"size":{"columns":80,"rows":24}}   ')]),
  ],
])("%s closes that client alone", async (_, bytes) => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  using good = await TestClient.attach(path);
  using bad = await TestClient.connect(path);
  bad.send(bytes);
  await bad.until(() => bad.isClosed, "its end");
  expect(bad.frames).toEqual(["refusal"]);
  good.type("still here\r");
  await good.untilText("still here\nstill here");
});

test("a frozen client does not hold the program, and gets the screen once it reads again", async () => {
  await using sandbox = await world();
  const done = join(sandbox.root, "done");
  const script = `read line; seq -f 'line %.0f of a lot of text that nobody reads' 400000; echo the end; echo 1 > ${done}; read line`;
  const path = await startHost(sandbox, ["/bin/sh", "-c", script]);
  using frozen = await TestClient.attach(path);
  frozen.freeze();
  using typist = await TestClient.attach(path);
  typist.type("\r");
  await untilFile(done, (text) => text === "1\n");
  await typist.untilText("the end");
  frozen.thaw();
  await frozen.untilText("the end");
  expect(frozen.screen.view()).toEqual(typist.screen.view());
  // Far less than was printed: the rest was never kept.
  expect(frozen.received).toBeLessThan(5_000_000);
  const { host } = hostRecord(sandbox).running ?? {};
  const peak = Number(/VmHWM:\s+(\d+)/.exec(await Bun.file(`/proc/${host?.pid}/status`).text())?.[1]);
  expect(peak).toBeLessThan(120_000);
});

test("a client that is gone without a word is no loss", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, teller);
  using stays = await TestClient.attach(path, size);
  const goes = await TestClient.attach(path, { columns: 50, rows: 10 });
  await stays.untilText("10 50");
  goes[Symbol.dispose]();
  await stays.until(
    () => stays.text.includes("24 80") && stays.text.lastIndexOf("24 80") > stays.text.lastIndexOf("10 50"),
    "its size",
  );
});

test("a program's question is answered once: by the terminal that sees it, else by the host", async () => {
  await using sandbox = await world();
  const script = String.raw`stty raw -echo; read_reply() { printf '\033[c'; dd bs=1 count=$1 2>/dev/null | od -An -c | tr -d ' \n'; echo; }; read_reply 7; touch answered; dd bs=1 count=1 2>/dev/null >/dev/null; echo asked; read_reply 4; sleep 60`;
  const path = await startHost(sandbox, ["/bin/bash", "-c", script]);
  // Nobody looks on before: else the question would be his terminal's to answer.
  await untilFile(join(sandbox.projectDir, "answered"), () => true);
  using one = await TestClient.attach(path);
  await one.untilText("033[?1;2c");
  using two = await TestClient.attach(path);
  one.type("g");
  await one.untilText("asked");
  two.type("\x1b[?9c");
  one.type("\x1b[?8c");
  await one.untilText("033[?8");
  await two.untilText("033[?8");
});

test("the socket is the user's alone, in a directory that is too", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  expect(path).toBe(join(sandbox.root, "run/ai-runtime/test.sock"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
});

test.skipIf(process.geteuid?.() !== 0 || Bun.which("setpriv") === null)(
  "another user is not let in, even where the file system would let him",
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

test.each([
  [
    "can be opened by others",
    (path: string) => {
      mkdirSync(path);
      chmodSync(path, 0o755);
    },
  ],
  [
    "is a symbolic link",
    (path: string) => {
      mkdirSync(`${path}-elsewhere`, 0o700);
      symlinkSync(`${path}-elsewhere`, path);
    },
  ],
])("a directory that %s is refused", async (why, make) => {
  await using sandbox = await world();
  make(join(sandbox.root, "run/ai-runtime"));
  expect(startHost(sandbox, ["/bin/cat"])).rejects.toThrow(why);
});

test("a socket that a dead host has left makes room; that of a living one does not", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  const first = hostRecord(sandbox).running;
  expect(startHost(sandbox, ["/bin/cat"])).rejects.toThrow("is running already");
  process.kill(first?.host.pid ?? 0, "SIGKILL");
  using watcher = (await TestClient.connect(path).catch(() => undefined)) ?? { [Symbol.dispose]: () => {} };
  void watcher;
  expect(existsSync(path)).toBe(true);
  await untilDead(first?.host.pid ?? 0);
  using client = await TestClient.attach(await startHost(sandbox, ["/bin/cat"]));
  client.type("new\r");
  await client.untilText("new\nnew");
});

test("a socket that was cleaned away comes back when the host is told", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  rmSync(join(path, ".."), { recursive: true });
  process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGUSR1");
  using client = await attachWhenOpen(path);
  client.type("back\r");
  await client.untilText("back\nback");
});

test("told to end, it ends the program; a hangup it does not hear", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, [
    "/bin/bash",
    "-c",
    "trap 'echo asked; exit 5' TERM; echo on; while :; do read -t 1 line && echo heard $line; done",
  ]);
  using client = await TestClient.attach(path);
  await client.untilText("on");
  const pid = hostRecord(sandbox).running?.host.pid ?? 0;
  process.kill(pid, "SIGHUP");
  for (const word of ["one", "two"]) {
    client.type(`${word}\r`);
    await client.untilText(`heard ${word}`);
  }
  expect(client.text).not.toContain("asked");
  process.kill(pid, "SIGTERM");
  await client.until(() => client.isClosed, "the end");
  expect(client.text).toContain("asked");
  expect(client.end).toEqual({ exitCode: 5, signal: null });
});

test("one that runs is not started twice, and is found as before by whoever attaches", async () => {
  await using sandbox = await world();
  await startHost(sandbox, ["/bin/cat"]);
  const before = hostRecord(sandbox);
  const again = startAnother(currentEnvironment(sandbox.env), { ...before.plan, run: null });
  await expect(again).rejects.toThrow("test is running already");
  expect(hostRecord(sandbox)).toEqual(before);
});

/** The file is there a moment before anybody listens at it. */
async function attachWhenOpen(path: string): Promise<TestClient> {
  for (;;) {
    try {
      if (existsSync(path)) return await TestClient.attach(path);
    } catch {
      // Not yet.
    }
    await Bun.sleep(10);
  }
}

async function untilDead(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}/exe`)) await Bun.sleep(10);
}

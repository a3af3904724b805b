// A host and its clients, frame by frame: several at once, of different sizes, broken, frozen and gone.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { startHost as startAnother } from "../../../src/app/host/registry.ts";
import { hostRecord, startHost } from "../../support/terminal/host-world.ts";
import { TestClient } from "../../support/terminal/host-client.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import { untilFile } from "../../support/until-file.ts";

const world = (): Promise<Sandbox> => createSandbox({ claude: "none" });
const size = { columns: 80, rows: 24 };

/** Prints the size of its terminal at the start and after each change, and echoes each line. */
const sizePrinter = [
  process.execPath,
  "-e",
  `const printSize = () => console.log(process.stdout.rows + " " + process.stdout.columns);
  process.stdout.on("resize", printSize);
  printSize();
  for await (const line of console) console.log("<" + line + ">");`,
] as const;

test("passes input to the program and its output to every client", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  using one = await TestClient.attach(path);
  using two = await TestClient.attach(path);
  one.type("hello\r");
  await one.untilText("hello\nhello");
  await two.untilText("hello\nhello");
  expect(two.screen.view()).toEqual(one.screen.view());
});

test.each([
  [1, 1],
  [2, 2],
  [9, 3],
])("a client of version %i and the host use version %i", async (version, agreed) => {
  await using sandbox = await world();
  const path = await startHost(sandbox, ["/bin/cat"]);
  using client = await TestClient.attach(path, size, null, version);
  expect(client.version).toBe(agreed);
  expect(hostRecord(sandbox).running).toMatchObject({ protocol: 3 });
});

test("the only client is told that the program stopped, and continues it; a client of version 1 is not", async () => {
  await using sandbox = await world();
  const script = `trap 'echo continued' CONT; while :; do read -r line || continue; echo "<$line>"; kill -STOP $$; done`;
  const path = await startHost(sandbox, ["/bin/sh", "-c", script]);
  using one = await TestClient.attach(path);
  one.type("one\r");
  await one.until(() => one.frames.includes("stopped"), "the stop");
  expect(one.text).not.toContain("continued");
  one.say({ kind: "continue" });
  await one.untilText("continued");
  one[Symbol.dispose]();
  using old = await TestClient.attach(path, size, null, 1);
  old.type("two\r");
  await old.untilText("<two>\ncontinued");
  expect(old.frames).not.toContain("stopped");
});

test("sends the exit code to every client and records it", async () => {
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

test("shows the last output also to a client that still shows its notice", async () => {
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

test("shows a later client the current screen with its colors and modes", async () => {
  await using sandbox = await world();
  const script = String.raw`printf '\033[?1049h\033[2J\033[5;10H\033[1;31mfull \344\275\240\345\245\275\033[?1003h\033[?1006h\033[?2004h\033[?25l'; read line`;
  const path = await startHost(sandbox, ["/bin/sh", "-c", script]);
  using one = await TestClient.attach(path);
  await one.untilText("full 你好");
  using two = await TestClient.attach(path);
  expect(two.screen.view()).toEqual(one.screen.view());
  expect(two.screen.view()).toMatchObject({ alternate: true, rest: expect.stringContaining("\x1b[?1003h") as string });
});

test("uses the size of the smallest client until it detaches", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, sizePrinter);
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
  await large.until(() => large.text.lastIndexOf("40 100") > large.text.lastIndexOf("20 60"), "the larger size");
});

test.each([
  ["noise", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["a frame larger than allowed", Buffer.from([0x7f, 0xff, 0xff, 0xff, 2])],
  ["input before a hello", Buffer.from([0, 0, 0, 2, 2, 0x78])],
  [
    "a version before the first",
    Buffer.concat([Buffer.from([0, 0, 0, 49, 1]), Buffer.from('{"version":0,"size":{"columns":80,"rows":24}}   ')]),
  ],
])("%s closes only that client", async (_, bytes) => {
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

test("a client that stops reading does not block the program, and gets the screen once it reads again", async () => {
  await using sandbox = await world();
  const done = join(sandbox.root, "done");
  const script = `read line; seq -f 'line %.0f of a lot of unread text' 400000; echo the end; echo 1 > ${done}; read line`;
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
  // Far less than the program printed: the host dropped the rest.
  expect(frozen.received).toBeLessThan(5_000_000);
  const { host } = hostRecord(sandbox).running ?? {};
  const peak = Number(/VmHWM:\s+(\d+)/.exec(await Bun.file(`/proc/${host?.pid}/status`).text())?.[1]);
  expect(peak).toBeLessThan(120_000);
});

test("a client that disconnects without a message no longer limits the size", async () => {
  await using sandbox = await world();
  const path = await startHost(sandbox, sizePrinter);
  using stays = await TestClient.attach(path, size);
  const goes = await TestClient.attach(path, { columns: 50, rows: 10 });
  await stays.untilText("10 50");
  goes[Symbol.dispose]();
  await stays.until(
    () => stays.text.includes("24 80") && stays.text.lastIndexOf("24 80") > stays.text.lastIndexOf("10 50"),
    "its size",
  );
});

test("a terminal query of the program gets one answer: from the leading client, else from the host", async () => {
  await using sandbox = await world();
  const script = String.raw`stty raw -echo; read_reply() { printf '\033[c'; dd bs=1 count=$1 2>/dev/null | od -An -c | tr -d ' \n'; echo; }; read_reply 7; touch answered; dd bs=1 count=1 2>/dev/null >/dev/null; echo asked; read_reply 4; sleep 60`;
  const path = await startHost(sandbox, ["/bin/bash", "-c", script]);
  // No client attaches before this, because its terminal would have to answer the query.
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

test("ends the program on SIGTERM and ignores SIGHUP", async () => {
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

test("refuses a second start and keeps the record of the running host", async () => {
  await using sandbox = await world();
  await startHost(sandbox, ["/bin/cat"]);
  const before = hostRecord(sandbox);
  const again = startAnother(currentEnvironment(sandbox.env), { ...before.plan, run: null });
  await expect(again).rejects.toThrow("test is already running");
  expect(hostRecord(sandbox)).toEqual(before);
});

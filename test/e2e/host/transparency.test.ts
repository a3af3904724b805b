// A hosted program and its terminal, byte by byte: neither can tell that a host is between them.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OuterTerminal, sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";

const allValues = Uint8Array.from({ length: 256 }, (_, value) => value);
const detachPrefix = 0x1c;

/** What programs do to a terminal; the last modes stay on, as the program leaves them. */
const payload = Buffer.concat([
  Buffer.from(allValues),
  Buffer.from(
    "\x1b]8;;https://example.test\x1b\\link\x1b]8;;\x1b\\\x1b]52;c;aGVsbG8=\x07\x1b]9;4;1;50\x07\x1b]0;icon\x07\x1b]2;title\x1b\\",
  ),
  Buffer.from("\x1b[c\x1b[>q\x1b[>0q\x1b]10;?\x07\x1b]11;?\x1b\\\x1b[?u\x1b[6n\x1b[18t\x1bP+q544e\x1b\\"),
  Buffer.from(
    "\x1b[?1049h\x1b[2J\x1b[H\x1b[>1u\x1b[>4;2m\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?2026h\x1b[?2026l",
  ),
  Buffer.from(`${"x".repeat(100_000)}\n${"你好😀".repeat(5_000)}\r\n`),
  Buffer.from(allValues),
  Buffer.from("\x1b[?1049l\x1b[<u\x1b[?1003l\x1b[31mno line end"),
]);
const answers = "\x1b[?62;22c\x1bP>|test\x1b\\\x1b]11;rgb:0000/0000/0000\x07\x1b[?1u\x1b[24;80R";
const typed = Buffer.concat([
  Buffer.from(allValues.filter((value) => value !== detachPrefix)),
  Buffer.from(`\x1b[200~${"pasted ".repeat(1_000)}\x1b[201~\x1b[<0;7;3M\x1b[I\x1b[O\x1b[97;5u`),
  Buffer.from([detachPrefix, detachPrefix]),
  Buffer.from("x"),
]);
/** The prefix twice is sent once. */
const meant = Buffer.concat([Buffer.from(answers), typed.subarray(0, -2), Buffer.from("x")]);

test("the terminal receives what the program writes, and the program what is typed, in every byte", async () => {
  const program = join(import.meta.dir, "programs/all-bytes.ts");
  const { sandbox, env } = await sandboxWithProgram(`exec ${process.execPath} ${program} "$PAYLOAD" ${meant.length}`);
  await using _ = sandbox;
  const payloadPath = join(sandbox.root, "payload");
  writeFileSync(payloadPath, payload);
  await using outer = new OuterTerminal(sandbox, ["cclaude"], { ...env, PAYLOAD: payloadPath });
  await outer.until(() => outer.received.length >= payload.length);
  outer.type(answers);
  outer.type(typed);
  const { bytes, exitCode } = await outer.end();
  expect(bytes.equals(payload)).toBe(true);
  expect(readFileSync(join(sandbox.projectDir, "received")).equals(meant)).toBe(true);
  expect(exitCode).toBe(7);
});

test("environment, terminal settings, limits and working directory are those of a start without a host", async () => {
  const script = `{ env | grep -v '^CCLAUDE_RUN=' | sort; stty -a; stty size; ulimit -a; umask; nice; pwd; grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status; } > "$WHERE"`;
  const { sandbox, env } = await sandboxWithProgram(script);
  await using _ = sandbox;
  const look = async (how: string): Promise<string> => {
    const where = join(sandbox.root, `found${how}`);
    const settings = "stty erase ^H -ixon iutf8 susp ^Y tab3; umask 027; ulimit -c 0 -n 500; exec nice -n 3 cclaude";
    const terminal = { TMUX: "/tmp/x,1,0", TERM: "screen", COLORTERM: "truecolor", TERM_PROGRAM: "tmux", LINES: "9" };
    await using outer = new OuterTerminal(
      sandbox,
      ["bash", "-c", `${settings} ${how}`],
      { ...env, ...terminal, WHERE: where },
      { columns: 93, rows: 31 },
    );
    expect(await outer.end()).toMatchObject({ exitCode: 0, bytes: Buffer.alloc(0) });
    return readFileSync(where, "utf8").replaceAll(where, "WHERE");
  };
  const direct = await look("--direct");
  expect(direct).toContain("erase = ^H");
  expect(await look("")).toBe(direct);
});

test("line editing of the terminal works as without a host", async () => {
  const { sandbox, env } = await sandboxWithProgram(
    String.raw`printf 'name?\t'; read -r line; printf '<%s>\n' "$line"`,
  );
  await using _ = sandbox;
  const play = async (how: string[]): Promise<string> => {
    await using outer = new OuterTerminal(sandbox, ["cclaude", ...how], env);
    await outer.until("name?");
    outer.type("abX\x7fc\x16\x03d\r");
    const { bytes } = await outer.end();
    return bytes.toString("latin1");
  };
  const direct = await play(["--direct"]);
  expect(direct).toContain("<abc\x03d>");
  expect(await play([])).toBe(direct);
});

test("nothing is painted on a terminal without a size, to which the host gives one", async () => {
  const { sandbox, env } = await sandboxWithProgram("echo ready");
  await using _ = sandbox;
  await using outer = new OuterTerminal(sandbox, ["sh", "-c", "stty rows 0 cols 0; exec cclaude"], env);
  expect((await outer.end()).bytes.toString()).toBe("ready\r\n");
});

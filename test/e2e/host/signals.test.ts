// Signals to cclaude and ends of claude by a signal: the same with a host and without.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { untilHost } from "../../support/terminal/host-world.ts";
import { OuterTerminal, sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";

interface Played {
  readonly text: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Runs the program with and without a host; `act` is called when it is ready. */
async function playBoth(script: string, act: (outer: OuterTerminal) => Promise<void>): Promise<[Played, Played]> {
  const { sandbox, env } = await sandboxWithProgram(script);
  await using _ = sandbox;
  const play = async (how: readonly string[]): Promise<Played> => {
    await using outer = new OuterTerminal(sandbox, ["cclaude", ...how], env);
    await outer.until("ready");
    await act(outer);
    const { bytes, exitCode, signal } = await outer.end();
    return { text: bytes.toString("latin1"), exitCode, signal };
  };
  return [await play(["--direct"]), await play([])];
}

const waiter = `echo ready; while :; do sleep 0.05; done`;

test("SIGTERM ends claude gracefully, with its exit code", async () => {
  const script = `trap 'echo ending; exit 9' TERM; ${waiter}`;
  const [direct, hosted] = await playBoth(script, async ({ child }) => child.kill("SIGTERM"));
  expect(direct).toMatchObject({ exitCode: 9, text: "ready\r\nending\r\n" });
  expect(hosted).toEqual(direct);
});

test.each(["SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const)("%s has the same effect", async (signal) => {
  const script = `for name in INT QUIT USR1 USR2; do trap "echo got $name" $name; done; trap 'exit 4' TERM; ${waiter}`;
  const [direct, hosted] = await playBoth(script, async (outer) => {
    outer.child.kill(signal);
    // cclaude does not pass on a Ctrl-C that the program got from the terminal, so there may be nothing to wait for.
    if (signal.startsWith("SIGUSR")) await outer.until("got");
    outer.child.kill("SIGTERM");
  });
  expect(hosted).toEqual(direct);
});

test("Ctrl-C and Ctrl-\\ at a program without raw mode", async () => {
  const script = `trap 'echo got INT' INT; trap 'echo got QUIT; exit 5' QUIT; ${waiter}`;
  const [direct, hosted] = await playBoth(script, async (outer) => {
    outer.type("\x03");
    await outer.until("got INT");
    // With a host the detach prefix is pressed twice.
    outer.type("\x1c\x1c");
  });
  expect(direct.exitCode).toBe(5);
  expect({ ...hosted, text: "" }).toEqual({ ...direct, text: "" });
});

test.each(["KILL", "SEGV", "TERM"])("a program that dies by SIG%s ends cclaude in the same way", async (name) => {
  const [direct, hosted] = await playBoth(`echo ready; kill -${name} $$`, async () => {});
  expect(direct.signal).toBe(`SIG${name}`);
  expect(hosted).toEqual(direct);
});

test("a SIGTERM that follows a SIGHUP, as bash sends both to a stopped job at its end, does not reach the program", async () => {
  const script = `trap 'echo TERM >> got' TERM; trap 'echo HUP >> got; exit' HUP; ${waiter}`;
  const { sandbox, env } = await sandboxWithProgram(script);
  await using _ = sandbox;
  await using outer = new OuterTerminal(sandbox, ["cclaude"], { ...env, AI_RUNTIME_ON_HANGUP: "end" });
  await outer.until("ready");
  outer.child.kill("SIGHUP");
  outer.child.kill("SIGTERM");
  expect(await outer.end()).toMatchObject({ signal: "SIGHUP" });
  await untilHost(sandbox, ({ end }) => end !== null);
  expect(readFileSync(join(sandbox.projectDir, "got"), "utf8")).toBe("HUP\n");
});

test("a killed program's modes are switched off", async () => {
  const { sandbox, env } = await sandboxWithProgram(
    String.raw`printf '\033[?1049h\033[?1003h\033[>1uready'; kill -KILL $$`,
  );
  await using _ = sandbox;
  await using outer = new OuterTerminal(sandbox, ["cclaude"], env);
  const { bytes, signal } = await outer.end();
  expect(signal).toBe("SIGKILL");
  expect(bytes.toString("latin1")).toEndWith("\x1b[?1003l\x1b[<1u\x1b[?1049l");
});

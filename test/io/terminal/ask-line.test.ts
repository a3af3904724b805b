import { expect, test } from "bun:test";
import { join } from "node:path";

const source = join(import.meta.dir, "../../../src/io/terminal/ask-line.ts");

/** Asks in a terminal of its own, acts as its user, and returns the answer. */
async function ask(milliseconds: number, act: (terminal: Bun.Terminal) => void): Promise<unknown> {
  const asking = Promise.withResolvers<void>();
  let shown = "";
  const script = `
    const { askLineWithin } = await import(${JSON.stringify(source)});
    const answer = askLineWithin(${milliseconds});
    console.log("ASKING");
    console.log("<" + JSON.stringify(await answer) + ">");`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    terminal: {
      data: (_, bytes) => {
        shown += new TextDecoder().decode(bytes);
        if (shown.includes("ASKING")) asking.resolve();
      },
    },
  });
  await asking.promise;
  if (child.terminal) act(child.terminal);
  await child.exited;
  return JSON.parse(/<(\{.*\})>/.exec(shown)?.[1] ?? "null");
}

const longMs = 60_000;

test("returns the line that the user types", async () => {
  expect(await ask(longMs, (terminal) => void terminal.write(" yes \n"))).toEqual({ kind: "line", text: "yes" });
});

test("tells silence from Ctrl-C", async () => {
  expect(await ask(200, () => {})).toEqual({ kind: "silence" });
  expect(await ask(longMs, (terminal) => void terminal.write("\x03"))).toEqual({ kind: "none" });
});

// What a client writes when its host is gone: it resets every mode, so that the shell gets a clean terminal.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { plainTerminal } from "../../../src/io/terminal/own-terminal.ts";
import { ScreenModel } from "../../../src/io/terminal/screen-model.ts";

const size = { columns: 40, rows: 5 };
const after = (text: string): { alternate: boolean; rest: string } => {
  const model = new ScreenModel(size, () => undefined);
  model.feed(new TextEncoder().encode(text));
  const { alternate, rest } = model.view();
  return { alternate, rest };
};

const modes = [1, 6, 9, 12, 45, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1049, 2004, 2031];
const cases = [
  ...modes.map((mode) => [`mode ${mode}`, `\x1b[?${mode}h`] as const),
  ["no cursor, no wrapping", "\x1b[?25l\x1b[?7l"],
  ["keypad, insertion, cursor, other keys", "\x1b=\x1b[4h\x1b[5 q\x1b[>4;2m"],
  ["a pen, a region, lines for boxes", "\x1b[1;31m\x1b[2;3r\x1b(0\x1b)0\x0e"],
] as const;

test.each(cases)("%s", (_, text) => {
  expect(after(text + plainTerminal)).toEqual(after(plainTerminal));
});

test("shows a frame that the terminal held back", () => {
  expect(plainTerminal).toStartWith("\x1b[?2026l");
  const model = new ScreenModel(size, () => undefined);
  expect(model.leave(model.shown)).toStartWith("\x1b[?2026l");
});

test.skipIf(process.platform === "win32")(
  "a muted terminal shows no keys, also to a program that Ctrl-C ends",
  async () => {
    const source = join(import.meta.dir, "../../../src/io/terminal/own-terminal.ts");
    const script = `
    const { OwnTerminal } = await import(${JSON.stringify(source)});
    const unmute = OwnTerminal.mute();
    console.log("MUTED");
    const { value } = await Bun.stdin.stream().getReader().read();
    console.log("READ", value.length);
    if (value.length === 3) await Bun.sleep(60_000);
    unmute();
    process.exit();`;
    const play = async (keys: string): Promise<string> => {
      let shown = "";
      const muted = Promise.withResolvers<void>();
      const read = Promise.withResolvers<void>();
      // The shell stays, as a user's does, and shows the settings after the program.
      const child = Bun.spawn(["sh", "-c", 'trap : INT; "$0" -e "$1"; stty -a', process.execPath, script], {
        terminal: {
          data: (_, bytes) => {
            shown += new TextDecoder().decode(bytes);
            if (shown.includes("MUTED")) muted.resolve();
            if (shown.includes("READ")) read.resolve();
          },
        },
      });
      await muted.promise;
      child.terminal?.write(keys);
      await read.promise;
      if (keys.length <= 3) child.terminal?.write("\x03");
      await child.exited;
      return shown;
    };
    for (const keys of ["keys\n", "qj\n"]) {
      const shown = await play(keys);
      expect(shown).not.toContain(keys.trim());
      expect(shown).toMatch(/ echo /);
    }
  },
);

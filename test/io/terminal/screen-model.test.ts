// The model is right when another terminal that is painted from it shows the same screen, colors, cursor and modes, and stays the
// same with all later output.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ScreenModel } from "../../../src/io/terminal/screen-model.ts";

const size = { columns: 40, rows: 8 };
const make = (): ScreenModel => new ScreenModel(size, () => {});
const feed = (model: ScreenModel, text: string): void => model.feed(Buffer.from(text));

function painted(model: ScreenModel, history = true): ScreenModel {
  const copy = make();
  feed(copy, "an old screen\r\n$ ");
  feed(copy, model.paint(undefined, size.rows, { history }).text);
  copy.feed(model.unfinished);
  return copy;
}

/** Everything that is visible, and the style of the next character. */
const look = (model: ScreenModel): object => ({ ...model.view(), title: model.title });

const cases: [string, string][] = [
  ["text", "hello\r\nworld"],
  ["colors", "\x1b[31mred \x1b[1;44mbold on blue\x1b[0m \x1b[38;5;208morange \x1b[48;2;1;2;3mtrue"],
  ["styles", "\x1b[2mdim\x1b[22m\x1b[3;4;9mx\x1b[0m\x1b[4:3;58:2::255:0:0mcurly\x1b[0m\x1b[7mreverse\x1b[53mover"],
  ["wide characters", "你好 😀 é ✳ ⏺ ❯ ─"],
  ["a wide character at the edge", `${"x".repeat(39)}你`],
  ["a combining mark", "e\u0301a\u0308"],
  ["a hyperlink", "\x1b]8;id=1;https://example.invalid/\x1b\\link\x1b]8;;\x1b\\ after"],
  ["a hyperlink behind the last column", `\x1b[1;37H\x1b]8;id=2;https://example.invalid/\x1b\\link\x1b]8;;\x1b\\`],
  ["a line that wraps", "word ".repeat(20)],
  ["a cursor behind the last column", "x".repeat(40)],
  ["a background color after an erase", "\x1b[41m\x1b[2J\x1b[3;5Hhere"],
  ["more lines than fit", Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\r\n")],
  ["the alternate screen", "main\x1b[?1049h\x1b[2J\x1b[5;10Hfull screen\x1b[1;1Htop"],
  ["a scroll region", "a\r\nb\r\nc\r\nd\x1b[2;5r\x1b[5;1H\n\nx"],
  ["an origin in a scroll region", "\x1b[3;6r\x1b[?6h\x1b[2;3Hx"],
  ["a hidden cursor", "\x1b[?25lx"],
  [
    "mouse, paste, focus, cursor keys",
    "\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[?1h\x1b=",
  ],
  ["a mouse that was switched off", "\x1b[?1003h\x1b[?1006h\x1b[?1003l"],
  ["a cursor shape", "\x1b[6 q"],
  ["line-drawing characters", "\x1b(0lqqk\x1b(B text \x1b(0"],
  ["the second character set", "\x1b)0\x0eqqq"],
  ["insert mode", "abc\x1b[4h\x1b[1;1Hx"],
  ["no wrapping", "\x1b[?7l" + "y".repeat(60)],
  ["a title", "\x1b]0;the title\x07x"],
  ["a saved cursor", "\x1b[4;4H\x1b7\x1b[1;1Hx"],
  ["a saved cursor that scrolled off", `\x1b[4;4H\x1b7${"\r\n".repeat(9)}x`],
  ["keyboard modes", "\x1b[>1u\x1b[>5u\x1b[>4;2m"],
  ["half a sequence", "text\x1b[3"],
  ["half a character", "text\xe4"],
];

describe("another terminal shows the same, and stays the same", () => {
  test.each(cases)("%s", (_, text) => {
    const model = make();
    model.feed(text.endsWith("\xe4") ? Buffer.from([0x74, 0xe4, 0xbd]) : Buffer.from(text));
    for (const history of [true, false]) {
      const copy = painted(model, history);
      expect(look(copy)).toEqual(look(model));
    }
    const copy = painted(model);
    const more = "1mqx\r\n\x1b8saved\x1b[?1049l and\n on";
    feed(model, more);
    feed(copy, more);
    expect(look(copy)).toEqual(look(model));
  });

  test("any output, cut at any byte", () => {
    // Excluded: a combining mark right after the cut, which only the emulator does not join, and a cursor saved with the second
    // character set, which the emulator cannot report.
    const pieces = fc.constantFrom(
      ...cases.filter(([name]) => !/combining|second/.test(name)).map(([, text]) => text),
      "\r\n",
      "\x1b[H",
      "\x1b[?1049l",
      "\x1b[J",
      "\x1bM",
      "\x1b[2L",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }),
        fc.array(pieces, { maxLength: 4 }),
        fc.nat(200),
        (before, after, cut) => {
          const model = make();
          const bytes = Buffer.from(before.join(""));
          model.feed(bytes.subarray(0, bytes.length - Math.min(cut, bytes.length)));
          const copy = painted(model);
          const rest = Buffer.concat([
            bytes.subarray(bytes.length - Math.min(cut, bytes.length)),
            Buffer.from(after.join("")),
          ]);
          model.feed(rest);
          copy.feed(rest);
          expect(look(copy)).toEqual(look(model));
        },
      ),
    );
  });
});

test("puts scrolled-off rows into the history of the other terminal", () => {
  const model = make();
  feed(model, Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\r\n"));
  const { text } = model.paint(undefined, size.rows, { history: true });
  expect(text).toContain("line 0\r\nline 1\r\n");
  expect(model.paint(undefined, size.rows, { history: false }).text).not.toContain("line 0");
});

test("painting over a used terminal gives the same result as on a new one", () => {
  const model = make();
  feed(model, "\x1b[>1umain\x1b[?1049h\x1b[>3ufull\x1b[?1003h");
  const copy = painted(model);
  const { shown } = model.paint(undefined, size.rows, { history: true });
  feed(model, "\x1b[?1003l\x1b[<u\x1b[?1049l\r\nafter");
  feed(copy, model.paint(shown, size.rows, { history: false }).text);
  expect(look(copy)).toEqual(look(model));
});

test("reset leaves only the text, with the cursor below it", () => {
  const model = make();
  feed(model, "text\r\nmore\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?25l\x1b[31m\x1b[2;4r\x1b[>1u\x1b[2;3H");
  const copy = painted(model);
  feed(copy, model.leave(model.shown));
  const plain = make();
  feed(plain, "text\r\nmore\r\n");
  const { rest, rows, alternate } = copy.view();
  expect({ rest, rows, alternate }).toEqual(plain.view());
});

test("passes the answers to queries on", () => {
  const answers: string[] = [];
  new ScreenModel(size, (text) => answers.push(text)).feed(Buffer.from("\x1b[3;4H\x1b[6n\x1b[c"));
  expect(answers.join("")).toBe("\x1b[3;4R\x1b[?1;2c");
});

test("keeps the text after a resize", () => {
  const model = make();
  feed(model, "hello world, this is a line that wraps at forty columns");
  model.resize({ columns: 20, rows: 8 });
  expect(model.text().rows.slice(0, 3)).toEqual(["hello world, this is", " a line that wraps a", "t forty columns"]);
});

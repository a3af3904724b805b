// Hostile names in every format: each is read back unchanged or refused with a usage failure.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../src/core/failure.ts";
import type { ServiceSystem } from "../../../src/core/service/service-options.ts";
import { planService } from "../../../src/core/service/service-plan.ts";
import {
  batchWord,
  shellWord,
  systemdAssignment,
  systemdLine,
  systemdProgram,
  systemdWord,
  windowsArgument,
  xmlText,
} from "../../../src/core/service/service-quote.ts";
import { childOf, readXml } from "../../support/service/read-xml.ts";
import { exampleService } from "../../support/service/service-options.ts";

const special = [
  "%",
  "%%",
  "$",
  "$(",
  "${x}",
  '"',
  "'",
  "\\",
  ";",
  "&",
  "<",
  ">",
  "`",
  "|",
  "^",
  "!",
  "#",
  "*",
  "~",
  "\n",
  "\r",
  "\t",
  " ",
  "🚀",
  "é",
  "\u2028",
  "\ufffe",
  "\x07",
  "\x7f",
  "-",
  "a",
  "n",
  "x41",
  "%h",
  "%PATH%",
  "]]>",
  "&amp;",
];
const name = fc
  .array(fc.oneof(fc.constantFrom(...special), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(""));

/** The written text; undefined when it was refused. */
function writeOrRefuse<Result>(write: () => Result): Result | undefined {
  try {
    return write();
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).kind).toBe("usage");
    return undefined;
  }
}

/** Reads a double-quoted value as systemd does: C escapes, then specifiers, then variables. */
function readSystemd(text: string, { variables }: { variables: boolean }): string {
  expect(text).toMatch(/^"[^]*"$/);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\0-\x1f\x7f]/);
  const inner = text
    .slice(1, -1)
    .replaceAll(/\\(x[0-9a-f]{2}|["\\])|(["\\])/g, (_, escape: string | undefined, bare: string | undefined) => {
      if (bare !== undefined) throw new Error(`unescaped ${bare}`);
      return escape?.startsWith("x") ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : (escape ?? "");
    });
  const undouble = (word: string, mark: string): string => {
    const parts = word.split(mark + mark);
    for (const part of parts) expect(part).not.toContain(mark);
    return parts.join(mark);
  };
  const plain = undouble(inner, "%");
  return variables ? undouble(plain, "$") : plain;
}

test("systemd reads back words, assignments, the program and lines", () => {
  fc.assert(
    fc.property(name, (text) => {
      const word = writeOrRefuse(() => systemdWord(text, "it"));
      if (word !== undefined) expect(readSystemd(word, { variables: true })).toBe(text);
      else expect(text.includes("\0") || !text.isWellFormed()).toBe(true);
      const assignment = writeOrRefuse(() => systemdAssignment(text, "it"));
      if (assignment !== undefined) expect(readSystemd(assignment, { variables: false })).toBe(text);
      const program = writeOrRefuse(() => systemdProgram(text, "it"));
      if (program !== undefined) expect(readSystemd(program, { variables: false })).toBe(text);
      const line = writeOrRefuse(() => systemdLine(text, "it"));
      if (line === undefined) return;
      expect(line).not.toMatch(/[\n\r]|\\$|^\s|\s$/);
      expect(line.replaceAll("%%", "%")).toBe(text);
    }),
  );
});

test.skipIf(process.platform === "win32")("a POSIX shell reads back words", () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 20 }), (texts) => {
      const words = texts
        .map((text) => writeOrRefuse(() => shellWord(text, "it")))
        .filter((word) => word !== undefined);
      const read = texts.filter((text) => writeOrRefuse(() => shellWord(text, "it")) !== undefined);
      const { stdout } = Bun.spawnSync(["/bin/sh", "-c", `printf '%s\\0' ${words.join(" ")}`]);
      if (read.length > 0) expect(stdout.toString().split("\0").slice(0, -1)).toEqual(read);
    }),
    { numRuns: 30 },
  );
});

test("XML text is read back and contains only ASCII", () => {
  fc.assert(
    fc.property(name, (text) => {
      const written = writeOrRefuse(() => xmlText(text, "it"));
      if (written === undefined) return;
      expect(written).toMatch(/^[\x20-\x7e]*$/);
      expect(readXml(`<a>${written}</a>`).text).toBe(text);
    }),
  );
});

test("a word of a .cmd script is quoted, has % doubled and stays on one line", () => {
  fc.assert(
    fc.property(name, (text) => {
      const word = writeOrRefuse(() => batchWord(text, "it"));
      if (word === undefined) return;
      expect(word.slice(1, -1)).not.toMatch(/["\r\n]/);
      expect(word.slice(1, -1).replaceAll("%%", "%")).toBe(text);
    }),
  );
});

/** Reads one argument as CommandLineToArgvW does. */
function readArgument(text: string): string {
  let read = "";
  let quoted = false;
  for (const [whole, slashes = "", quote] of text.matchAll(/(\\*)(")|\\+|[^\\"]/g)) {
    if (quote === undefined) {
      if (!quoted && /\s/.test(whole)) throw new Error("blank outside of quotes");
      read += whole;
      continue;
    }
    read += "\\".repeat(Math.floor(slashes.length / 2));
    if (slashes.length % 2 === 1) read += '"';
    else quoted = !quoted;
  }
  expect(quoted).toBe(false);
  return read;
}

test("Windows reads back arguments", () => {
  fc.assert(fc.property(name, (text) => expect(readArgument(windowsArgument(text))).toBe(text)));
});

describe("plans with hostile paths", () => {
  const systems: ServiceSystem[] = ["linux", "darwin", "windows"];
  test.each(systems)("%s: the files are correct, or the plan is refused", (system) => {
    fc.assert(
      fc.property(name, name, fc.boolean(), (home, workspace, resume) => {
        const base = exampleService(system);
        const root = system === "windows" ? "C:\\" : "/";
        const places = {
          ...base.places,
          home: root + home,
          stateHome: `${root}${home}/state`,
          configHome: `${root}${home}/c`,
        };
        const options = exampleService(system, {
          workspace: root + workspace,
          executable: `${root}${home}/ai-runtime`,
          resume,
          places,
        });
        const plan = writeOrRefuse(() => planService(options));
        if (plan === undefined) return;
        const unit = plan.files.at(-1)?.content ?? "";
        const started = resume ? (plan.files[1]?.path ?? "") : (options.claude ?? "");
        if (system === "linux") {
          const starts = unit.split("\n").filter((line) => line.startsWith("ExecStart="));
          expect(starts).toHaveLength(1);
          const word = /^ExecStart=(?:\/bin\/sh )?("(?:[^"\\]|\\.)*")/.exec(starts[0] ?? "")?.[1] ?? "";
          expect(readSystemd(word, { variables: resume })).toBe(started);
          return;
        }
        const xml = readXml(unit);
        if (system === "darwin") {
          const strings = childOf(xml, "dict", "array").children.map(({ text }) => text);
          expect(resume ? strings : strings.slice(0, 1)).toEqual(resume ? ["/bin/sh", started] : [started]);
        } else expect(childOf(xml, "Actions", "Exec", "Command").text).toBe(`"${started}"`);
      }),
    );
  });

  test("with the wrapper, a workspace may have any name", () => {
    for (const workspace of ["/a b", '/a"b', "/a%b", "/a$b", "/a;b", "/a\nb", "/🚀", "/a&<>b", "/a'b", "/a\\"]) {
      for (const system of ["linux", "darwin"] as const) {
        const [record] = planService(exampleService(system, { workspace })).files;
        expect(JSON.parse(record?.content ?? "").workspace).toBe(workspace);
      }
    }
  });

  test("the refusal names the value and the file format", () => {
    const refused = () => planService(exampleService("linux", { workspace: "/a\nb", resume: false }));
    expect(refused).toThrow('the workspace "/a\\nb" cannot be written into a systemd unit');
  });
});

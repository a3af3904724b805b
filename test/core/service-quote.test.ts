// Hostile names in every format: what is read back is what was written, or it was refused in words.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/core/failure.ts";
import type { ServiceSystem } from "../../src/core/service-options.ts";
import { planService } from "../../src/core/service-plan.ts";
import {
  batchWord,
  shellWord,
  systemdAssignment,
  systemdLine,
  systemdProgram,
  systemdWord,
  windowsArgument,
  xmlText,
} from "../../src/core/service-quote.ts";
import { childOf, readXml } from "../support/read-xml.ts";
import { exampleService } from "../support/service-options.ts";

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

/** The text as it was read back; undefined when it was refused. */
function tried<Result>(write: () => Result): Result | undefined {
  try {
    return write();
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).kind).toBe("usage");
    return undefined;
  }
}

/** A value within double quotes, as systemd reads it: C escapes, then specifiers, then variables. */
function readSystemd(text: string, { variables }: { variables: boolean }): string {
  expect(text).toMatch(/^"[^]*"$/);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\0-\x1f\x7f]/);
  const inner = text
    .slice(1, -1)
    .replaceAll(/\\(x[0-9a-f]{2}|["\\])|(["\\])/g, (_, escape: string | undefined, bare: string | undefined) => {
      if (bare !== undefined) throw new Error(`a bare ${bare}`);
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

test("systemd: words, assignments, the program and whole lines", () => {
  fc.assert(
    fc.property(name, (text) => {
      const word = tried(() => systemdWord(text, "it"));
      if (word !== undefined) expect(readSystemd(word, { variables: true })).toBe(text);
      else expect(text.includes("\0") || !text.isWellFormed()).toBe(true);
      const assignment = tried(() => systemdAssignment(text, "it"));
      if (assignment !== undefined) expect(readSystemd(assignment, { variables: false })).toBe(text);
      const program = tried(() => systemdProgram(text, "it"));
      if (program !== undefined) expect(readSystemd(program, { variables: false })).toBe(text);
      const line = tried(() => systemdLine(text, "it"));
      if (line === undefined) return;
      expect(line).not.toMatch(/[\n\r]|\\$|^\s|\s$/);
      expect(line.replaceAll("%%", "%")).toBe(text);
    }),
  );
});

test.skipIf(process.platform === "win32")("a POSIX shell reads back every word", () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 20 }), (texts) => {
      const words = texts.map((text) => tried(() => shellWord(text, "it"))).filter((word) => word !== undefined);
      const read = texts.filter((text) => tried(() => shellWord(text, "it")) !== undefined);
      const { stdout } = Bun.spawnSync(["/bin/sh", "-c", `printf '%s\\0' ${words.join(" ")}`]);
      if (read.length > 0) expect(stdout.toString().split("\0").slice(0, -1)).toEqual(read);
    }),
    { numRuns: 30 },
  );
});

test("XML is read back, and is ASCII alone", () => {
  fc.assert(
    fc.property(name, (text) => {
      const written = tried(() => xmlText(text, "it"));
      if (written === undefined) return;
      expect(written).toMatch(/^[\x20-\x7e]*$/);
      expect(readXml(`<a>${written}</a>`).text).toBe(text);
    }),
  );
});

test("a .cmd script: within quotes, with % doubled, on one line", () => {
  fc.assert(
    fc.property(name, (text) => {
      const word = tried(() => batchWord(text, "it"));
      if (word === undefined) return;
      expect(word.slice(1, -1)).not.toMatch(/["\r\n]/);
      expect(word.slice(1, -1).replaceAll("%%", "%")).toBe(text);
    }),
  );
});

/** As CommandLineToArgvW reads one argument. */
function readArgument(text: string): string {
  let read = "";
  let quoted = false;
  for (const [whole, slashes = "", quote] of text.matchAll(/(\\*)(")|\\+|[^\\"]/g)) {
    if (quote === undefined) {
      if (!quoted && /\s/.test(whole)) throw new Error("a blank outside of quotes");
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

test("an argument on Windows", () => {
  fc.assert(fc.property(name, (text) => expect(readArgument(windowsArgument(text))).toBe(text)));
});

describe("whole plans with hostile places", () => {
  const systems: ServiceSystem[] = ["linux", "darwin", "windows"];
  test.each(systems)("%s: correct files, or a refusal", (system) => {
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
        const plan = tried(() => planService(options));
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

  test("a workspace may have any name when a wrapper stands before claude", () => {
    for (const workspace of ["/a b", '/a"b', "/a%b", "/a$b", "/a;b", "/a\nb", "/🚀", "/a&<>b", "/a'b", "/a\\"]) {
      for (const system of ["linux", "darwin"] as const) {
        const [record] = planService(exampleService(system, { workspace })).files;
        expect(JSON.parse(record?.content ?? "").workspace).toBe(workspace);
      }
    }
  });

  test("the refusal says what, where and what to do", () => {
    const refused = () => planService(exampleService("linux", { workspace: "/a\nb", resume: false }));
    expect(refused).toThrow('the workspace "/a\\nb" cannot be written into a systemd unit');
  });
});

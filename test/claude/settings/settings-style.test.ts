import { describe, expect, test } from "bun:test";
import { addHooks } from "../../../src/claude/settings/settings.ts";

describe("formats additions like the rest of the file", () => {
  const entry = {
    event: "Stop",
    matcher: "*",
    hook: { type: "command", command: "session-snapshot hook", timeout: 1 },
  } as const;
  const pretty = (unit: string, colon = ": "): string =>
    [
      `"Stop"${colon}[`,
      `${unit}{`,
      `${unit}${unit}"matcher"${colon}"*",`,
      `${unit}${unit}"hooks"${colon}[`,
      `${unit}${unit}${unit}{`,
      `${unit}${unit}${unit}${unit}"type"${colon}"command",`,
      `${unit}${unit}${unit}${unit}"command"${colon}"session-snapshot hook",`,
      `${unit}${unit}${unit}${unit}"timeout"${colon}1`,
      `${unit}${unit}${unit}}`,
      `${unit}${unit}]`,
      `${unit}}`,
      "]",
    ].join(`\n${unit}${unit}`);
  const compact = '"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"session-snapshot hook","timeout":1}]}]';
  const rows: [name: string, before: string, after: string][] = [
    ["two spaces", '{\n  "a": 1\n}', `{\n  "a": 1,\n  "hooks": {\n    ${pretty("  ")}\n  }\n}`],
    ["four spaces", '{\n    "a": 1\n}', `{\n    "a": 1,\n    "hooks": {\n        ${pretty("    ")}\n    }\n}`],
    ["tabs", '{\n\t"a": 1\n}', `{\n\t"a": 1,\n\t"hooks": {\n\t\t${pretty("\t")}\n\t}\n}`],
    ["no indentation", '{\n"a":1\n}', `{\n"a":1,\n"hooks":{\n${pretty("", ":")}\n}\n}`],
    [
      "an indented root",
      '  {\n   "a": 1\n  }',
      `  {\n   "a": 1,\n   "hooks": {\n    ${pretty(" ").replaceAll("\n", "\n  ")}\n   }\n  }`,
    ],
    ["space before the colon", '{\n  "a" : 1\n}', `{\n  "a" : 1,\n  "hooks" : {\n    ${pretty("  ", " : ")}\n  }\n}`],
    ["minified", '{"a":1}', `{"a":1,"hooks":{${compact}}}`],
    ["one line", '{ "a": 1 }', `{ "a": 1, "hooks": {${compact.replaceAll('":', '": ').replaceAll(",", ", ")}} }`],
    ["empty", "{}", `{\n  "hooks": {\n    ${pretty("  ")}\n  }\n}`],
  ];
  test.each(rows)("%s", (_name, before, after) => {
    expect(addHooks(before, [entry])).toMatchObject({ text: after });
    const [crlfBefore, crlfAfter] = [before, after].map((text) => text.replaceAll("\n", "\r\n"));
    // A file without a line break does not show which kind it uses.
    if (before.includes("\n")) expect(addHooks(crlfBefore, [entry])).toMatchObject({ text: crlfAfter });
  });
});

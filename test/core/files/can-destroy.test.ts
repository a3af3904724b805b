import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findDestroyer } from "../../../src/core/files/can-destroy.ts";
import { isPlainlyHarmless } from "../../../src/core/files/plainly-harmless.ts";
import { destructive, harmless } from "./command-lines.ts";

describe("a command that can destroy files", () => {
  test("the tables are long enough to mean something", () => {
    expect(destructive.length).toBeGreaterThanOrEqual(60);
    expect(harmless.length).toBeGreaterThanOrEqual(40);
  });

  test.each(destructive)("is found: %j", (line, destroyer) => {
    expect(findDestroyer(line)).toBe(destroyer);
  });

  test.each(harmless.map((line) => [line]))("is not seen in: %j", (line) => {
    expect(findDestroyer(line)).toBeUndefined();
  });

  test("is found behind any harmless command and any operator", () => {
    const parts = [fc.constantFrom(...harmless), fc.constantFrom(" && ", "; ", "\n", " || ", " & ")] as const;
    fc.assert(
      fc.property(...parts, (before, operator) => {
        // A comment or a here-document swallows what follows on its line.
        fc.pre(!before.includes("#") && !before.includes("<<") && !before.endsWith("&"));
        expect(findDestroyer(`${before}${operator}rm a`)).toBe("rm");
      }),
    );
  });

  test("is never plainly harmless", () => {
    for (const [line] of destructive) expect([line, isPlainlyHarmless(line)]).toEqual([line, false]);
    expect(harmless.filter(isPlainlyHarmless).length).toBeGreaterThan(10);
    const words = "ls cat git rm status log checkout -o && || ; | & 'x' \"y\" > $( ` \\ src\n a=b".split(" ");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 8 }), (line) => {
        const command = line.join(" ");
        if (isPlainlyHarmless(command)) expect([command, findDestroyer(command)]).toEqual([command, undefined]);
      }),
      { numRuns: 3_000 },
    );
  });

  test("never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(..."rm $('\"`){}[]<>|&;\\\n #a=/".split("")), { maxLength: 40 }),
        (characters) => {
          findDestroyer(characters.join(""));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("reads a long command in a short time", () => {
    const line = `echo ${"'a' ".repeat(40_000)}`;
    const start = process.cpuUsage();
    findDestroyer(line);
    // The reader is linear: seconds of CPU time would mean that it is not.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  });
});

// Input that our programs never write: broken, hostile or very large.
import fc from "fast-check";

const deep = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000);

/** Possible content of a file or a stream. */
export const corpus: Readonly<Record<string, string | Uint8Array>> = {
  empty: "",
  "a blank": " \n",
  null: "null",
  "a number": "1e999",
  "a list": "[]",
  "an empty object": "{}",
  "a list of lists": deep("[", "]"),
  "an object in an object": deep('{"a":', "}"),
  "very deep nesting": '{"a":'.repeat(12_000) + "1" + "}".repeat(12_000),
  "a truncated object": '{"version":1,"sessionId":"',
  NULs: new Uint8Array(100_000),
  "invalid UTF-8": new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x7d]),
  "a byte order mark": "\uFEFF{}",
  "a prototype": '{"__proto__":{"version":1,"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  "a line of 8 MB": `{"text":"${"x".repeat(8_000_000)}"}`,
  "many lines": '{"version":1}\n'.repeat(100_000),
};

const hostileStrings = [
  "../../../../outside",
  "/",
  "",
  "\u0000",
  "\u001b]0;x\u0007",
  "x".repeat(5_000),
  "$(touch outside)",
];
const values: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [null],
  { a: null },
  ...hostileStrings,
];

/** Replaces one value of a JSON text; the same seed gives the same result. */
export function distort(text: string, seed: number): string {
  const parsed = parse(text);
  if (parsed === undefined) return text.slice(0, seed % Math.max(1, text.length));
  const places = placesIn(parsed);
  const place = places[seed % places.length];
  const value = values[Math.floor(seed / places.length) % values.length];
  if (!place) return JSON.stringify(value);
  (place.holder as Record<string, unknown>)[place.key] = value;
  return JSON.stringify(parsed);
}

/** The number of different distortions of a text. */
export function distortions(text: string): number {
  const parsed = parse(text);
  return parsed === undefined ? Math.min(text.length, 50) : Math.max(1, placesIn(parsed).length) * values.length;
}

/** Hook payloads and status lines: known field names with arbitrary values. */
export const payloads: fc.Arbitrary<string> = fc
  .dictionary(
    fc.constantFrom(
      ..."session_id transcript_path cwd hook_event_name source reason tool_name tool_input tool_response prompt".split(
        " ",
      ),
      ..."agent_id last_assistant_message error permission_mode workspace rate_limits context_window".split(" "),
    ),
    fc.oneof(
      fc.constantFrom(...values),
      fc.jsonValue(),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "PostToolUse",
        "Stop",
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "startup",
        "resume",
        "Write",
      ),
    ),
    { maxKeys: 12 },
  )
  .map((value) => JSON.stringify(value));

interface Place {
  readonly holder: object;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

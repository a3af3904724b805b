import { parseTree, printParseErrorCode, type Node, type ParseError, type ParseOptions } from "jsonc-parser";

export type JsonNode = Node;

/** A problem and its position. Line and column count from 1; columns count UTF-16 units, as editors do. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type JsonDocument =
  | { readonly kind: "parsed"; readonly root: JsonNode }
  | { readonly kind: "blank" }
  | { readonly kind: "invalid"; readonly problem: JsonProblem };

/** Accepts comments and trailing commas, so that an edit can keep them. The text comes without its byte order mark. */
export function parseJsonDocument(text: string): JsonDocument {
  if (/^[ \t\r\n]*$/.test(text)) return { kind: "blank" };
  const { root, problem } = parse(text, { allowTrailingComma: true });
  if (problem) return { kind: "invalid", problem };
  if (!root) return { kind: "invalid", problem: problemAt(text, 0, "the file has no value") };
  return { kind: "parsed", root };
}

/** The first comment or trailing comma. Claude Code reads strict JSON and ignores a whole file that has one. */
export function findStrictJsonProblem(text: string): JsonProblem | undefined {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return parse(body, { disallowComments: true, allowTrailingComma: false }).problem;
}

function parse(
  text: string,
  options: ParseOptions,
): { root?: JsonNode | undefined; problem?: JsonProblem | undefined } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, options);
    const [first] = errors;
    if (first) return { problem: problemAt(text, first.offset, sentenceFor(first)) };
    if (root === undefined || !isDeep(root)) return { root };
  } catch (error) {
    // The parser is recursive, so deeply nested brackets exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return { problem: problemAt(text, 0, "the values are nested too deeply") };
}

/** A deeper file may parse, but editing it could exhaust the stack. */
const maxDepth = 1_000;

function isDeep(root: JsonNode): boolean {
  let level = [root];
  for (let depth = 0; depth < 2 * maxDepth && level.length > 0; depth++) level = level.flatMap(childrenOf);
  return level.length > 0;
}

export function problemAt(text: string, offset: number, message: string): JsonProblem {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

export function nodeEnd(node: JsonNode): number {
  return node.offset + node.length;
}

export function childrenOf(node: JsonNode): readonly JsonNode[] {
  return node.children ?? [];
}

/** The value of a key. Of several equal keys the last one counts, as in Claude. */
export function findProperty(object: JsonNode, key: string): JsonNode | undefined {
  if (object.type !== "object") return undefined;
  return childrenOf(object).findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

export function findAtPath(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path) node = node && findProperty(node, key);
  return node;
}

const SENTENCES: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not JSON",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "expected a property name in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon",
  CommaExpected: "expected a comma",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "unexpected text after the end of the value",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidUnicode: "a string has an invalid \\u escape",
  InvalidEscapeCharacter: "a string has an invalid escape",
  InvalidCharacter: "a string has a control character",
};

function sentenceFor(error: ParseError): string {
  return SENTENCES[printParseErrorCode(error.error)] ?? "this is not JSON";
}

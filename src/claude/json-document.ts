import { parseTree, printParseErrorCode, type Node, type ParseError, type ParseOptions } from "jsonc-parser";

export type JsonNode = Node;

/** Where a text is not what it should be. Both numbers count from 1, columns in UTF-16 units, as editors do. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type JsonDocument =
  | { readonly kind: "parsed"; readonly root: JsonNode }
  | { readonly kind: "blank" }
  | { readonly kind: "invalid"; readonly problem: JsonProblem };

/** Comments and trailing commas are allowed: whoever wrote them wants them kept. The text comes without its byte order mark. */
export function parseJsonDocument(text: string): JsonDocument {
  if (/^[ \t\r\n]*$/.test(text)) return { kind: "blank" };
  const { root, problem } = parse(text, { allowTrailingComma: true });
  if (problem) return { kind: "invalid", problem };
  if (!root) return { kind: "invalid", problem: problemAt(text, 0, "there is no value") };
  return { kind: "parsed", root };
}

/** The first comment or trailing comma. Claude Code itself reads strict JSON and ignores the whole file because of one. */
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
    // The parser recurses: a text of brackets only exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return { problem: problemAt(text, 0, "the values are nested too deeply") };
}

/** Nobody writes so by hand; and what the parser can still take may be too deep for an edit. */
const deepest = 1_000;

function isDeep(root: JsonNode): boolean {
  let level = [root];
  for (let depth = 0; depth < 2 * deepest && level.length > 0; depth++) level = level.flatMap(childrenOf);
  return level.length > 0;
}

export function problemAt(text: string, offset: number, message: string): JsonProblem {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

export function endOf(node: JsonNode): number {
  return node.offset + node.length;
}

export function childrenOf(node: JsonNode): readonly JsonNode[] {
  return node.children ?? [];
}

/** The value under a key. Claude takes the last of several equal keys, so do we. */
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
  PropertyNameExpected: "a property name in double quotes is expected here",
  ValueExpected: "a value is expected here",
  ColonExpected: "a colon is expected here",
  CommaExpected: "a comma is expected here",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "there is something after the end of the value",
  InvalidCommentToken: "a comment stands here",
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

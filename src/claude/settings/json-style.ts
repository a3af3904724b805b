import { childrenOf, nodeEnd, type JsonNode } from "./json-document.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The formatting of a file, so that our additions match it. */
export interface JsonStyle {
  readonly lineBreak: string;
  readonly indentUnit: string;
  readonly colon: string;
}

/** One item per line, starting at this indentation, or all in one line. */
export type JsonLayout = { readonly kind: "lines"; readonly indent: string } | { readonly kind: "inline" };

export function detectLineBreak(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}

export function detectStyle(text: string, root: JsonNode): JsonStyle {
  const first = childrenOf(root)[0];
  const outer = indentAt(text, root.offset);
  const inner = first && startsLine(text, first.offset) ? indentAt(text, first.offset) : `${outer}  `;
  const [key, value] = first?.children ?? [];
  const colon = key && value ? text.slice(nodeEnd(key), value.offset) : ": ";
  return {
    lineBreak: detectLineBreak(text),
    indentUnit: inner.startsWith(outer) ? inner.slice(outer.length) : inner,
    colon: /^[ \t]*:[ \t]*$/.test(colon) ? colon : ": ",
  };
}

export function renderJson(value: Json, layout: JsonLayout, style: JsonStyle): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner: JsonLayout =
    layout.kind === "inline" ? layout : { kind: "lines", indent: layout.indent + style.indentUnit };
  const items = isList(value)
    ? value.map((item) => renderJson(item, inner, style))
    : Object.entries(value).map(([key, item]) => renderProperty(key, renderJson(item, inner, style), style));
  const [open, close] = isList(value) ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  if (layout.kind === "inline" || inner.kind === "inline") return open + items.join(`,${inlineGap(style)}`) + close;
  const separator = style.lineBreak + inner.indent;
  return open + separator + items.join(`,${separator}`) + style.lineBreak + layout.indent + close;
}

export function renderProperty(key: string, value: string, style: JsonStyle): string {
  return JSON.stringify(key) + style.colon + value;
}

/** The white space between a comma and the next item on the same line. */
export function inlineGap(style: JsonStyle): string {
  return style.colon.endsWith(" ") ? " " : "";
}

/** The indentation of the line that contains this offset. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/** Whether only white space comes before the offset on its line. */
export function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && text.slice(start, offset).trim() === "";
}

function lineStart(text: string, offset: number): number {
  if (offset === 0) return 0;
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

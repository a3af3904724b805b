import { childrenOf, nodeEnd, type JsonNode } from "./json-document.ts";
import {
  detectStyle,
  indentAt,
  inlineGap,
  renderJson,
  renderProperty,
  startsLine,
  type Json,
  type JsonLayout,
} from "./json-style.ts";

/**
 * Inserts an item as one run of characters. `removeItem` finds the same run again from the structure, so adding and removing an
 * item leaves every byte as it was.
 * - After the last item: from its end on, so the comma is ours, and a trailing comma or comment after it stays after it.
 * - In an empty container: right after the bracket, with the closing line's break and indentation, so that white space or
 *   comments inside it stay unchanged.
 */
export function appendItem(
  text: string,
  container: JsonNode,
  item: { readonly key?: string; readonly value: Json },
): string {
  const style = detectStyle(text, rootOf(container));
  const render = (layout: JsonLayout): string => {
    const value = renderJson(item.value, layout, style);
    return item.key === undefined ? value : renderProperty(item.key, value, style);
  };
  const last = childrenOf(container).at(-1);
  if (last) {
    const layout = layoutAfter(text, last);
    const onOwnLine = startsLine(text, last.offset);
    const gap = onOwnLine ? style.lineBreak + indentAt(text, last.offset) : inlineGap(style);
    return splice(text, nodeEnd(last), nodeEnd(last), `,${gap}${render(layout)}`);
  }
  const inside = container.offset + 1;
  if (!spreadsOut(text, container)) return splice(text, inside, inside, render({ kind: "inline" }));
  const outer = indentAt(text, container.offset);
  const indent = outer + style.indentUnit;
  const rendered = render({ kind: "lines", indent });
  return splice(text, inside, inside, style.lineBreak + indent + rendered + style.lineBreak + outer);
}

/** Removes an array element or a property, and the comma that belongs to it. */
export function removeItem(text: string, item: JsonNode): string {
  const siblings = childrenOf(item.parent ?? item);
  const at = siblings.indexOf(item);
  const previous = siblings[at - 1];
  const next = siblings[at + 1];
  if (previous && isBareComma(text.slice(nodeEnd(previous), item.offset))) {
    return splice(text, nodeEnd(previous), nodeEnd(item), "");
  }
  if (!previous && next && isBareComma(text.slice(nodeEnd(item), next.offset))) {
    return splice(text, item.offset, next.offset, "");
  }
  if (!previous && !next) return removeOnlyItem(text, item);
  // A comment between the items stays; only the item and one comma are removed.
  if (next) {
    const comma = findComma(text, nodeEnd(item), next.offset);
    return splice(splice(text, comma, comma + 1, ""), item.offset, nodeEnd(item), "");
  }
  const comma = findComma(text, previous ? nodeEnd(previous) : 0, item.offset);
  return splice(splice(text, item.offset, nodeEnd(item), ""), comma, comma + 1, "");
}

export function replaceWithValue(text: string, node: JsonNode, value: Json): string {
  const style = detectStyle(text, rootOf(node));
  const spread = /[\r\n]/.test(text.slice(node.offset, nodeEnd(node)));
  const layout: JsonLayout = spread ? { kind: "lines", indent: indentAt(text, node.offset) } : { kind: "inline" };
  return replaceWithText(text, node, renderJson(value, layout, style));
}

export function replaceWithText(text: string, node: JsonNode, replacement: string): string {
  return splice(text, node.offset, nodeEnd(node), replacement);
}

function removeOnlyItem(text: string, item: JsonNode): string {
  const container = item.parent ?? item;
  const close = nodeEnd(container) - 1;
  const comma = findComma(text, nodeEnd(item), close);
  // A trailing comma must not stay in an empty container.
  const body = comma < 0 ? text : splice(text, comma, comma + 1, "");
  const before = body.slice(container.offset + 1, item.offset);
  if (before.trim() !== "") return splice(body, item.offset, nodeEnd(item), "");
  const lineBreak = /\r\n|\n|\r/.exec(before)?.[0];
  const closing = lineBreak === undefined ? "" : lineBreak + indentAt(body, container.offset);
  const end = body.startsWith(closing, nodeEnd(item)) ? nodeEnd(item) + closing.length : nodeEnd(item);
  return splice(body, container.offset + 1, end, "");
}

function layoutAfter(text: string, last: JsonNode): JsonLayout {
  if (startsLine(text, last.offset)) return { kind: "lines", indent: indentAt(text, last.offset) };
  // `[{ … }]` over several lines: the next item starts on the line where this one ends.
  const spread = /[\r\n]/.test(text.slice(last.offset, nodeEnd(last)));
  return spread ? { kind: "lines", indent: indentAt(text, nodeEnd(last)) } : { kind: "inline" };
}

/** Whether each item of an empty container gets its own line: the container starts a line, or is the whole file. */
function spreadsOut(text: string, container: JsonNode): boolean {
  if (!container.parent) return true;
  const holder = container.parent.type === "property" ? container.parent : container;
  return startsLine(text, holder.offset);
}

function rootOf(node: JsonNode): JsonNode {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

function isBareComma(gap: string): boolean {
  return /^\s*,\s*$/.test(gap);
}

/** The offset of the first comma between the two offsets that is not inside a comment, or -1. */
function findComma(text: string, from: number, to: number): number {
  for (const match of text.slice(from, to).matchAll(/\/\*[^]*?\*\/|\/\/[^\r\n]*|,/g)) {
    if (match[0] === ",") return from + match.index;
  }
  return -1;
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

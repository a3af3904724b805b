export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  name: string;
  text: string;
  children: XmlElement[];
}

const token =
  /<\?[^]*?\?>|<!--(?:(?!--)[^])*-->|<!DOCTYPE[^>]*>|<\/([\w:]+)\s*>|<([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** A strict reader for the XML that we write: it rejects everything it does not know. */
export function readXml(source: string): XmlElement {
  const root: OpenElement = { name: "", text: "", children: [] };
  const open: OpenElement[] = [root];
  let end = 0;
  for (const match of source.matchAll(token)) {
    end = match.index + match[0].length;
    const [, closes, opens, , empty, text] = match;
    const inner = open.at(-1) ?? root;
    if (text !== undefined) inner.text += decode(text);
    if (opens !== undefined) {
      const element = { name: opens, text: "", children: [] };
      inner.children.push(element);
      if (empty === "") open.push(element);
    }
    if (closes !== undefined && open.pop()?.name !== closes)
      throw new Error(`</${closes}> does not match an open element`);
  }
  const [only, ...more] = root.children;
  if (end !== source.length) throw new Error(`not XML: ${source.slice(end, end + 40)}`);
  if (only === undefined || more.length > 0 || open.length !== 1) throw new Error("expected exactly one root element");
  return only;
}

function decode(text: string): string {
  if (/&(?!#\d+;)/.test(text)) throw new Error(`a bare & in ${text}`);
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

export const childOf = (element: XmlElement, ...names: string[]): XmlElement =>
  names.reduce((inner, name) => {
    const found = inner.children.find((child) => child.name === name);
    if (!found) throw new Error(`no <${name}> in <${inner.name}>`);
    return found;
  }, element);

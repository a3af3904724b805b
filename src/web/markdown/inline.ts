/** A piece of text inside a paragraph. A link has only an address that a browser opens as a page. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis" | "deleted"; readonly inside: readonly Inline[] }
  | { readonly kind: "link"; readonly address: string; readonly inside: readonly Inline[] };

const maxDepth = 6;

/** Reads the text of a paragraph. Everything that is not one of the few known forms stays text, HTML too. */
export function parseInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let plain = "";
  const flush = (): void => {
    if (plain !== "") found.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length;) {
    const match = depth < maxDepth ? matchAt(text, at, depth) : undefined;
    if (match) {
      flush();
      found.push(match.inline);
      at = match.end;
    } else {
      const isEscape = text[at] === "\\" && /[\\`*_{}[\]()#+\-.!~|>]/.test(text[at + 1] ?? "");
      plain += isEscape ? (text[at + 1] ?? "") : (text[at] ?? "");
      at += isEscape ? 2 : 1;
    }
  }
  flush();
  return found;
}

interface Match {
  readonly inline: Inline;
  readonly end: number;
}

const forms: readonly [pattern: RegExp, make: (match: RegExpExecArray, depth: number) => Inline | undefined][] = [
  [/(`+)([^`](?:[\s\S]*?[^`])?)\1(?!`)/y, ([, , text = ""]) => ({ kind: "code", text: text.trim() })],
  [
    /\*\*(?=\S)([\s\S]{0,2000}?\S)\*\*/y,
    ([, text = ""], depth) => ({ kind: "strong", inside: parseInline(text, depth) }),
  ],
  [/~~(?=\S)([\s\S]{0,2000}?\S)~~/y, ([, text = ""], depth) => ({ kind: "deleted", inside: parseInline(text, depth) })],
  [
    /\*(?![\s*])([^*]{0,2000}[^\s*])\*/y,
    ([, text = ""], depth) => ({ kind: "emphasis", inside: parseInline(text, depth) }),
  ],
  [
    /\[([^\]\n]{1,500})\]\(([^)\s]{1,2000})\)/y,
    ([, text = "", address = ""], depth) => linkTo(address, parseInline(text, depth)),
  ],
  [/https?:\/\/[^\s<>"'`)\]]{1,2000}/y, ([address = ""]) => linkTo(address, [{ kind: "text", text: address }])],
];

function matchAt(text: string, at: number, depth: number): Match | undefined {
  for (const [pattern, make] of forms) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const inline = match ? make(match, depth + 1) : undefined;
    if (match && inline) return { inline, end: at + match[0].length };
  }
  return undefined;
}

/** Only pages on the web and mail: no `javascript:`, no `data:`, no file, nothing on this server. */
function linkTo(address: string, inside: readonly Inline[]): Inline | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return undefined;
  try {
    return { kind: "link", address: new URL(address).href, inside };
  } catch {
    return undefined;
  }
}

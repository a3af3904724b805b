/** Narrower than this a column of text is worse than a line of its own. */
const narrowest = 24;
/** Beyond it nobody follows a line. */
const most = 130;

/** Lines as wide as a terminal at most: prose flows, and what stands in a column goes on in it. */
export function fitLines(text: string, columns: number): string[] {
  const width = Math.min(columns, most);
  return paragraphs(text).flatMap((line) => (line.length <= width ? [line] : fitLine(line, width)));
}

/** Lines without an indentation belong together; an indented one stands for itself. */
function paragraphs(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const last = found.at(-1);
    const flows = last !== undefined && /^\S/.test(last) && /^\S/.test(line) && !last.endsWith(":");
    if (flows) found[found.length - 1] = `${last} ${line}`;
    else found.push(line);
  }
  return found;
}

function fitLine(line: string, width: number): string[] {
  const [head = "", indent = ""] = /^( *)(?:\S+ )*\S+ {2,}/.exec(line) ?? /^( *)/.exec(line) ?? [];
  const isRoomy = width - head.length >= narrowest;
  const hang = isRoomy ? head.length : indent.length + 4;
  const text = Bun.wrapAnsi(line.slice(head.length), Math.max(1, width - hang), { trim: true }).split("\n");
  const [first = "", ...rest] = text;
  const hanging = " ".repeat(hang);
  if (isRoomy || head === indent) return [`${head}${first}`, ...rest.map((part) => `${hanging}${part}`)];
  return [head.trimEnd(), ...text.map((part) => `${hanging}${part}`)];
}

/** Changes the parent of a record and no other byte. */
export function setParent(text: string, parent: string | null): string {
  const value = JSON.stringify(parent);
  const found = findTopLevelValue(text, "parentUuid");
  if (found) return text.slice(0, found.from) + value + text.slice(found.to);
  const begin = text.indexOf("{") + 1;
  return `${text.slice(0, begin)}"parentUuid":${value},${text.slice(begin)}`;
}

const token = /"(?:[^"\\]|\\[^])*"|[{}[\]]|[^\s"{}[\],:]+/g;

/** The range of a top-level value that is a string or null. */
function findTopLevelValue(text: string, key: string): { from: number; to: number } | undefined {
  const name = JSON.stringify(key);
  let depth = 0;
  let isValue = false;
  for (const match of text.matchAll(token)) {
    const [word] = match;
    if (isValue) return { from: match.index, to: match.index + word.length };
    if (word === "{" || word === "[") depth++;
    else if (word === "}" || word === "]") depth--;
    else if (
      depth === 1 &&
      word === name &&
      /^\s*:/.test(text.slice(match.index + word.length, match.index + word.length + 8))
    )
      isValue = true;
  }
  return undefined;
}

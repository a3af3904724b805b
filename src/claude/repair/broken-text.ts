const none: readonly number[] = [];

/** Offsets of escapes that are half of a surrogate pair, such as `\ud83d` alone. */
export function loneSurrogates(text: string): readonly number[] {
  if (!text.includes("\\u") || !/\\u[dD]/.test(text)) return none;
  const lone: number[] = [];
  let high = -1;
  for (const match of text.matchAll(/\\(?:u([0-9a-fA-F]{4})|[^])/g)) {
    const code = match[1] === undefined ? -1 : Number.parseInt(match[1], 16);
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    const pairs = isLow && high >= 0 && high + 6 === match.index;
    if (high >= 0 && !pairs) lone.push(high);
    if (isLow && !pairs) lone.push(match.index);
    high = code >= 0xd800 && code <= 0xdbff ? match.index : -1;
  }
  if (high >= 0) lone.push(high);
  return lone;
}

/** Replaces lone surrogates with the replacement character, as Claude does. Decoding already replaced invalid UTF-8. */
export function repairText(text: string): string {
  let repaired = text;
  for (const at of loneSurrogates(text)) repaired = `${repaired.slice(0, at)}\\ufffd${repaired.slice(at + 6)}`;
  return repaired;
}

const none: readonly number[] = [];

/** Where a line's escapes name half of a character: `\ud83d` without its other half. Offsets in the text. */
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

/** As Claude reads it: what is no UTF-8, and every half of a character, becomes the replacement character. */
export function mendText(text: string): string {
  let mended = text;
  for (const at of loneSurrogates(text)) mended = `${mended.slice(0, at)}\\ufffd${mended.slice(at + 6)}`;
  return mended;
}

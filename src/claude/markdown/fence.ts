/** A code block, with a fence longer than any fence in the text. */
export function fence(text: string, language = ""): string {
  const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text.replace(/\n+$/, "")}\n${marks}`;
}

/** Code within a line. */
export function inlineCode(text: string): string {
  const marks = "`".repeat(longestRun(text) + 1);
  const space = /^`|`$/.test(text) ? " " : "";
  return `${marks}${space}${text}${space}${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

/** Closes a fence that the text leaves open, so that more Markdown can follow it. */
export function closeFence(text: string): string {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const [, marks = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marks === "") continue;
    if (open === undefined) open = marks;
    else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === "") open = undefined;
  }
  return open === undefined ? text : `${text.replace(/\n+$/, "")}\n${open}`;
}

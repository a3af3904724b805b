import { Failure } from "./failure.ts";

// Each format has its own idea of what is special. A text either comes out as it went in, or is refused in words.

// oxlint-disable no-control-regex
const control = /[\0-\x1f\x7f]/;

function refuse(text: string, what: string, why: string): Failure {
  return new Failure("usage", `${what} ${JSON.stringify(text)} cannot be written into ${why}`, {
    hint: "Rename it, or reach it by another path, such as a symbolic link.",
  });
}

/** A lone half of a character, or a NUL, is in no file format. */
function requireText(text: string, what: string, format: string): void {
  if (!text.isWellFormed() || text.includes("\0")) throw refuse(text, what, format);
}

/** One word of ExecStart: specifiers (`%`) and variables (`$`) are doubled, all else is within quotes. */
export const systemdWord = (text: string, what: string): string =>
  quoteForSystemd(text.replaceAll("%", "%%").replaceAll("$", "$$$$"), what);

/** `NAME=value` of Environment, where `$` is an ordinary character. */
export const systemdAssignment = (text: string, what: string): string =>
  quoteForSystemd(text.replaceAll("%", "%%"), what);

function quoteForSystemd(text: string, what: string): string {
  requireText(text, what, "a systemd unit");
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/[\x01-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `"${escaped}"`;
}

/** The first word of ExecStart, where systemd refuses quotes and backslashes even when they are escaped. */
export function systemdProgram(path: string, what: string): string {
  requireText(path, what, "a systemd unit");
  if (control.test(path) || /["'\\]/.test(path)) throw refuse(path, what, "a systemd unit as the program to start");
  return `"${path.replaceAll("%", "%%")}"`;
}

/** A value that reaches to the end of its line and knows no quotes: blanks at its ends would be lost. */
export function systemdLine(text: string, what: string): string {
  requireText(text, what, "a systemd unit");
  if (control.test(text) || text !== text.trim() || text.endsWith("\\")) throw refuse(text, what, "a systemd unit");
  return text.replaceAll("%", "%%");
}

/** One word for a POSIX shell, in which nothing is special. */
export function shellWord(text: string, what: string): string {
  requireText(text, what, "a shell script");
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One word of a .cmd script. Quotes protect all but `%`, and a path on Windows holds no quote. */
export function batchWord(text: string, what: string): string {
  requireText(text, what, "a .cmd script");
  if (control.test(text) || text.includes('"')) throw refuse(text, what, "a .cmd script");
  return `"${text.replaceAll("%", "%%")}"`;
}

/** One argument of a Windows command line: backslashes count only before a quote. */
export function windowsArgument(text: string): string {
  if (text !== "" && !/[\s"]/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Text of an element. All but ASCII becomes a number, so that no reader's idea of the encoding matters. */
export function xmlText(text: string, what: string): string {
  requireText(text, what, "XML");
  if (/[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) throw refuse(text, what, "XML");
  return text.replace(/[&<>"'\t\n\r]|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
}

import { Failure } from "../failure.ts";
import { quotePosix } from "../posix-quote.ts";

// Each format has its own special characters. A text is either quoted so that it is read back unchanged, or refused.

// oxlint-disable no-control-regex
const control = /[\0-\x1f\x7f]/;

function refuse(text: string, what: string, why: string): Failure {
  return new Failure("usage", `${what} ${JSON.stringify(text)} cannot be written into ${why}`, {
    hint: "Rename it, or use another path to it, such as a symbolic link.",
  });
}

/** No format can hold a lone surrogate or a NUL. */
function requireText(text: string, what: string, format: string): void {
  if (!text.isWellFormed() || text.includes("\0")) throw refuse(text, what, format);
}

/** One word of ExecStart, in quotes; `%` and `$` are doubled, because quotes do not protect them. */
export const systemdWord = (text: string, what: string): string =>
  quoteForSystemd(text.replaceAll("%", "%%").replaceAll("$", "$$$$"), what);

/** `NAME=value` for Environment, where `$` is not special. */
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

/** An unquoted value that extends to the end of the line: blanks at its ends would be lost, so they are refused. */
export function systemdLine(text: string, what: string): string {
  requireText(text, what, "a systemd unit");
  if (control.test(text) || text !== text.trim() || text.endsWith("\\")) throw refuse(text, what, "a systemd unit");
  return text.replaceAll("%", "%%");
}

/** One quoted word for a POSIX shell. */
export function shellWord(text: string, what: string): string {
  requireText(text, what, "a shell script");
  return quotePosix(text);
}

/** One word of a .cmd script. Quotes protect everything except `%`; Windows paths cannot contain a quote. */
export function batchWord(text: string, what: string): string {
  requireText(text, what, "a .cmd script");
  if (control.test(text) || text.includes('"')) throw refuse(text, what, "a .cmd script");
  return `"${text.replaceAll("%", "%%")}"`;
}

/** One argument of a Windows command line. Backslashes are special only before a quote. */
export function windowsArgument(text: string): string {
  if (text !== "" && !/[\s"]/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Text of an element. Non-ASCII characters become numeric references, so the encoding does not matter. */
export function xmlText(text: string, what: string): string {
  requireText(text, what, "XML");
  if (/[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) throw refuse(text, what, "XML");
  return text.replace(/[&<>"'\t\n\r]|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
}

import type { ArgsDef } from "citty";
import { version } from "../../core/version.ts";
import { renderExitCodes } from "../exit-codes.ts";
import { fitLines } from "./fit-lines.ts";
import type { Example, VerbDescription } from "../programs/verb.ts";

export interface HelpPage {
  /** The command, for example `session-snapshot restore`. */
  name: string;
  summary: string;
  usage: string;
  details?: string;
  sections: readonly { title: string; rows: readonly (readonly [string, string])[] }[];
  examples: readonly Example[];
}

const defaultColumns = 120;

/** Every page has the same order and ends with examples and exit codes. Text fits the terminal; commands are never wrapped, so they can be copied. */
export function renderHelp(page: HelpPage, terminal: { readonly columns?: number | undefined }): string {
  const { columns } = terminal;
  // Undefined without a terminal; some terminals report 0.
  const fit = (text: string): string[] => fitLines(text, columns || defaultColumns);
  const lines = [...fit(`${page.name} — ${page.summary}`), "", `Usage: ${page.usage}`];
  if (page.details) lines.push("", ...fit(page.details));
  for (const section of page.sections) {
    if (section.rows.length > 0) lines.push("", `${section.title}:`, ...renderRows(section.rows).flatMap(fit));
  }
  lines.push("", "Examples:");
  for (const [command, why] of page.examples) lines.push(`  ${command}`, ...fit(`      ${why}`));
  lines.push("", "Exit codes:", ...renderExitCodes());
  return `${lines.join("\n")}\n`;
}

export function verbPage(program: string, name: string, verb: VerbDescription): HelpPage {
  const args = Object.entries(verb.args);
  const positionals = args.filter(([, arg]) => arg.type === "positional");
  const words = positionals.map(([key, arg]) => (arg.required === false ? `[${key}]` : `<${key}>`));
  if (verb.lastRepeats) words.push(`${words.pop() ?? ""}...`);
  if (args.length > positionals.length) words.push("[options]");
  if (verb.passesOn) words.push("[-- <claude's flags>]");
  return {
    name: `${program} ${name}`,
    summary: verb.summary,
    usage: [program, name, ...words].join(" "),
    ...(verb.details ? { details: verb.details } : {}),
    sections: [
      { title: "Arguments", rows: positionals.map(([key, arg]) => [key, arg.description ?? ""] as const) },
      { title: "Options", rows: [...optionRows(verb.args), ["-h, --help", "show this help"]] },
    ],
    examples: verb.examples,
  };
}

export const versionLine = (program: string): string => `${program} ${version}\n`;

function optionRows(args: ArgsDef): [string, string][] {
  return Object.entries(args)
    .filter(([, arg]) => arg.type !== "positional")
    .map(([name, arg]) => {
      const aliases = "alias" in arg && arg.alias ? [arg.alias].flat() : [];
      const value = arg.type === "boolean" ? "" : ` <${arg.valueHint ?? name}>`;
      return [[...aliases.map((alias) => `-${alias}`), `--${name}`].join(", ") + value, arg.description ?? ""];
    });
}

function renderRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`.trimEnd());
}

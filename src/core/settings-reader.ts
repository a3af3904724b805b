import { defaultOf, defaultTextOf, parseValue, requirementOf, type SettingRow } from "./settings-row.ts";
import type { SettingsTable, ValuesOf } from "./settings-row.ts";
import type { Variables } from "./variables.ts";

export interface SettingsRead<Table extends SettingsTable> {
  readonly settings: ValuesOf<Table>;
  /** One sentence for each unusable value and each unknown key. */
  readonly problems: readonly string[];
  /** The keys whose value the user set, but not usably: the default applies against the user's intention. */
  readonly rejected: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The variable overrides config.json, which overrides the default. An unusable value is reported and the default applies. */
export function readTable<Table extends SettingsTable>(
  table: Table,
  configText: string | undefined,
  variables: Variables,
): SettingsRead<Table> {
  const problems: string[] = [];
  const rejected: string[] = [];
  const fields = parseConfig(configText, problems);
  const settings = Object.entries(table).map(([key, row]) => {
    const given = findValue(key, row, fields ?? {}, variables);
    if (!given) {
      if (!fields) rejected.push(key);
      return [key, defaultOf(row)];
    }
    const value = parseValue(row, given.value);
    if (value !== undefined) return [key, value];
    const reason = `must be ${requirementOf(row)} (got ${quote(given.value)})`;
    problems.push(`${given.place} ${reason}; using ${defaultTextOf(row)}`);
    rejected.push(key);
    return [key, defaultOf(row)];
  });
  for (const key of Object.keys(fields ?? {})) problems.push(...unknownKey(table, key));
  return { settings: Object.fromEntries(settings) as ValuesOf<Table>, problems, rejected };
}

/** Undefined when the file has content that cannot be used. */
function parseConfig(text: string | undefined, problems: string[]): Fields | undefined {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // The sentence below covers text that is not JSON as well.
  }
  problems.push("config.json must be a JSON object; using the defaults");
  return undefined;
}

function findValue(
  key: string,
  { variable, environmentOnly }: SettingRow,
  fields: Fields,
  variables: Variables,
): { readonly place: string; readonly value: unknown } | undefined {
  const text = variable === undefined ? undefined : variables[variable];
  // A shell can only set a variable to nothing in order to unset it for one command.
  if (variable !== undefined && text !== undefined && text.trim() !== "") return { place: variable, value: text };
  if (environmentOnly || !Object.hasOwn(fields, key)) return undefined;
  return { place: `${key} in config.json`, value: fields[key] };
}

function unknownKey(table: SettingsTable, key: string): string[] {
  const row = Object.hasOwn(table, key) ? table[key] : undefined;
  if (row && !row.environmentOnly) return [];
  if (row?.variable) return [`${quote(key)} cannot be set in config.json; set the variable ${row.variable}`];
  const keys = Object.keys(table).filter((each) => !table[each]?.environmentOnly);
  const similar = keys.find((each) => isSimilar(each.toLowerCase(), key.toLowerCase()));
  const hint = similar === undefined ? "ai-runtime man lists all settings" : `did you mean ${similar}?`;
  return [`unknown setting ${quote(key)} in config.json (${hint})`];
}

/** Whether one changed, missing, extra or swapped character separates the two. */
function isSimilar(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  let end = 0;
  const shorter = Math.min(left.length, right.length) - start;
  while (end < shorter && left.at(-1 - end) === right.at(-1 - end)) end++;
  const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  const isSwapped = a.length === 2 && a[0] === b[1] && a[1] === b[0] && b.length === 2;
  return isSwapped || (a.length <= 1 && b.length <= 1);
}

const maxQuoted = 60;

const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= maxQuoted ? text : `${text.slice(0, maxQuoted).toWellFormed()}…`;
};

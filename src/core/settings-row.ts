/** The sections of the settings page. */
export type SettingGroup =
  "Snapshots" | "Checkpoints" | "Limits and restarts" | "Detach and attach" | "Queue" | "Notifications" | "Programs";

interface RowBase {
  /** The environment variable that overrides config.json. */
  readonly variable?: string;
  /** The code reads this setting without config.json, so that file cannot set it. */
  readonly environmentOnly?: true;
  readonly group: SettingGroup;
  /** One sentence for help, manual page and docs/SETTINGS.md. */
  readonly meaning: string;
  /** Shown as the default when the default is not one plain value. */
  readonly defaultText?: string;
}

interface NumberRow extends RowBase {
  readonly kind: "number";
  readonly whole?: true;
  readonly unit: "attempts" | "bytes" | "days" | "hours" | "percent" | "runs" | "seconds" | "tokens";
  readonly min: number;
  readonly max?: number;
  readonly default: number | undefined;
}

interface OnOffRow extends RowBase {
  readonly kind: "on-off";
  readonly default: boolean;
}

interface ChoiceRow extends RowBase {
  readonly kind: "choice";
  readonly choices: readonly string[];
  readonly default: string;
}

interface ListRow extends RowBase {
  readonly kind: "list";
  /** All possible items; undefined: any text. */
  readonly choices?: readonly string[];
  readonly default: readonly string[];
}

interface TextRow extends RowBase {
  readonly kind: "text";
  readonly default: string | undefined;
}

/** A text with its own parser. The default is such a text too. */
interface ParsedRow extends RowBase {
  readonly kind: "parsed";
  readonly parse: (text: string) => unknown;
  readonly requirement: string;
  readonly default: string | undefined;
}

export type SettingRow = NumberRow | OnOffRow | ChoiceRow | ListRow | TextRow | ParsedRow;

/** Each setting under its key in config.json. */
export type SettingsTable = Readonly<Record<string, SettingRow>>;

type ValueOf<Row extends SettingRow> =
  | (undefined extends Row["default"] ? undefined : never)
  | (Row extends NumberRow
      ? number
      : Row extends OnOffRow
        ? boolean
        : Row extends ChoiceRow
          ? Row["choices"][number]
          : Row extends ListRow
            ? readonly string[]
            : Row extends ParsedRow
              ? NonNullable<ReturnType<Row["parse"]>>
              : string);

export type ValuesOf<Table extends SettingsTable> = { readonly [Key in keyof Table]: ValueOf<Table[Key]> };

const switches = new Map([
  ["true", true],
  ["1", true],
  ["on", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["off", false],
  ["no", false],
]);

/** Reads a value of config.json or the text of a variable. Returns undefined when the row refuses it. */
export function parseValue(row: SettingRow, value: unknown): unknown {
  switch (row.kind) {
    case "number":
      return parseNumber(row, value);
    case "on-off":
      return typeof value === "boolean" || typeof value === "string" ? switches.get(plain(value)) : undefined;
    case "choice":
      return row.choices.find((choice) => choice === value);
    case "list":
      return parseList(row, value);
    case "text":
      return typeof value === "string" && value !== "" ? value : undefined;
    case "parsed":
      return typeof value === "string" ? row.parse(value) : undefined;
  }
}

function parseNumber({ whole, min, max = Infinity }: NumberRow, value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  if (whole && !Number.isSafeInteger(number)) return undefined;
  return number >= min && number <= max ? number : undefined;
}

/** A variable holds its items separated by commas. */
function parseList({ choices }: ListRow, value: unknown): readonly string[] | undefined {
  const items: unknown = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
  const isList = Array.isArray(items) && items.every((item): item is string => typeof item === "string");
  if (!isList) return undefined;
  const given = items.filter((item) => item !== "");
  return choices === undefined || given.every((item) => choices.includes(item)) ? given : undefined;
}

const plain = (value: boolean | string): string => String(value).trim().toLowerCase();

export const defaultOf = (row: SettingRow): unknown =>
  row.kind === "parsed" && row.default !== undefined ? row.parse(row.default) : row.default;

/** Completes the sentence "it must be …". */
export function requirementOf(row: SettingRow): string {
  switch (row.kind) {
    case "number": {
      const range = row.max === undefined ? `>= ${row.min}` : `from ${row.min} to ${row.max}`;
      return `a ${row.whole ? "whole number" : "number"} ${range}`;
    }
    case "on-off":
      return "true or false";
    case "choice":
      return `one of ${row.choices.join(", ")}`;
    case "list":
      return row.choices === undefined ? "a list of texts" : `a list of ${row.choices.join(", ")}`;
    case "text":
      return "a text that is not empty";
    case "parsed":
      return row.requirement;
  }
}

export function defaultTextOf(row: SettingRow): string {
  if (row.defaultText !== undefined) return row.defaultText;
  return String(row.default ?? "") || "none";
}

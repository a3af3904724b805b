import { settingsTable } from "./settings.ts";
import { defaultTextOf, requirementOf, type SettingGroup, type SettingRow } from "./settings-row.ts";

/** A setting in words, for help, manual page and docs/SETTINGS.md. */
export interface SettingHelp {
  /** Undefined when only the environment sets it. */
  readonly key: string | undefined;
  readonly variable: string | undefined;
  readonly value: string;
  readonly defaultText: string;
  readonly meaning: string;
}

export function describeSetting(key: keyof typeof settingsTable): SettingHelp {
  const row: SettingRow = settingsTable[key];
  const unit = row.kind === "number" && row.unit !== "attempts" && row.unit !== "runs" ? `, in ${row.unit}` : "";
  return {
    key: row.environmentOnly ? undefined : key,
    variable: row.variable,
    value: `${requirementOf(row)}${unit}`,
    defaultText: defaultTextOf(row),
    meaning: row.meaning,
  };
}

/** All settings, in the order of the table. */
export function settingGroups(): ReadonlyMap<SettingGroup, readonly SettingHelp[]> {
  const groups = new Map<SettingGroup, SettingHelp[]>();
  for (const key of Object.keys(settingsTable) as (keyof typeof settingsTable)[]) {
    const { group } = settingsTable[key];
    groups.set(group, [...(groups.get(group) ?? []), describeSetting(key)]);
  }
  return groups;
}

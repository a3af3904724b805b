// Writes docs/SETTINGS.md from the table of settings: bun scripts/settings-page.ts --write
import { join } from "node:path";
import { type SettingHelp, settingGroups } from "../src/core/settings-help.ts";

export const settingsPagePath = join(import.meta.dir, "../docs/SETTINGS.md");

const intro = `# Settings

<!-- Written by \`bun scripts/settings-page.ts --write\` from src/core/settings.ts. Do not edit. -->

Settings live in \`~/.config/session-snapshot/config.json\` (below \`XDG_CONFIG_HOME\` when it is set), one JSON object:

\`\`\`json
{ "maxDisk": 20000000000, "quietHours": "22:00-07:00" }
\`\`\`

An environment variable overrides the file, and the file overrides the default. An empty variable counts as not set. For true
and false, \`1\`, \`on\`, \`yes\` and \`0\`, \`off\`, \`no\` work too. When a value cannot be used, the default applies.
\`ai-runtime doctor\` and \`session-snapshot status\` report such values and unknown keys.
`;

const ending = `
These variables of other programs apply too: \`CLAUDE_CONFIG_DIR\` (where Claude Code keeps its files), \`XDG_CONFIG_HOME\` and
\`XDG_STATE_HOME\` (where our files are), \`PAGER\`, \`NO_COLOR\` and \`FORCE_COLOR\`. The variables of the installer are in
\`install.sh --help\`.
`;

export function renderSettingsPage(): string {
  const groups = [...settingGroups()].map(([group, settings]) => `\n## ${group}\n\n${renderTable(settings)}\n`);
  return [intro, ...groups, ending].join("");
}

function renderTable(settings: readonly SettingHelp[]): string {
  const code = (text: string | undefined): string => (text === undefined ? "" : `\`${text}\``);
  const rows = [
    ["key in `config.json`", "environment variable", "value", "default", "meaning"],
    ...settings.map((each) => [code(each.key), code(each.variable), each.value, code(each.defaultText), each.meaning]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const [head = "", ...body] = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n");
}

if (import.meta.main) {
  const page = renderSettingsPage();
  if (process.argv.includes("--write")) await Bun.write(settingsPagePath, page);
  else process.stdout.write(page);
}

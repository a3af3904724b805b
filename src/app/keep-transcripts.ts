import { readCleanupDays, withCleanupDays } from "../claude/cleanup-period.ts";
import { Failure } from "../core/failure.ts";
import type { Environment } from "./environment.ts";
import { refuseLinkToNowhere, settingsFor } from "./install.ts";
import { readSettingsFile, withSettings, writeSettingsFile } from "./settings-file.ts";

export interface KeptTranscripts {
  settingsPath: string;
  before: number | undefined;
  backup: string | undefined;
}

/** Tells Claude to keep transcripts for so many days. It is the user's own setting from then on: no uninstall takes it back. */
export function keepTranscripts(environment: Environment, days: number): Promise<KeptTranscripts> {
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    refuseLinkToNowhere(environment, file.path);
    const before = readCleanupDays(file.text);
    if (before === days) return { settingsPath: file.path, before, backup: undefined };
    const edited = withCleanupDays(file.text, days);
    if (typeof edited !== "string") {
      throw new Failure("failed", `${file.path}, line ${edited.line}, column ${edited.column}: ${edited.message}`, {
        hint: "Nothing was changed. Mend the file and run the command again.",
      });
    }
    const { undo } = file;
    const backup = writeSettingsFile(environment, file, { text: edited, undo, undoMeanwhile: undo });
    return { settingsPath: file.path, before, backup };
  });
}

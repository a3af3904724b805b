import { readCleanupDays, withCleanupDays } from "../../claude/settings/cleanup-period.ts";
import { Failure } from "../../core/failure.ts";
import type { Environment } from "../environment.ts";
import { refuseDanglingLink, settingsFor } from "./install.ts";
import { readSettingsFile, withSettingsLock, writeSettingsFile } from "./settings-file.ts";

export interface KeptTranscripts {
  settingsPath: string;
  before: number | undefined;
  backup: string | undefined;
}

/** Sets how many days Claude keeps transcripts. Uninstall does not undo it, because the user chose this setting. */
export function keepTranscripts(environment: Environment, days: number): Promise<KeptTranscripts> {
  return withSettingsLock(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    refuseDanglingLink(environment, file.path);
    const before = readCleanupDays(file.text);
    if (before === days) return { settingsPath: file.path, before, backup: undefined };
    const edited = withCleanupDays(file.text, days);
    if (typeof edited !== "string") {
      throw new Failure("failed", `${file.path}, line ${edited.line}, column ${edited.column}: ${edited.message}`, {
        hint: "Nothing was changed. Fix the file and run the command again.",
      });
    }
    const { undo } = file;
    const backup = writeSettingsFile(environment, file, { text: edited, undo, undoMeanwhile: undo });
    return { settingsPath: file.path, before, backup };
  });
}

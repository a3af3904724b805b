import { splitArguments } from "../../claude/argv/flags.ts";
import { permissionModeOf } from "../../claude/argv/run-arguments.ts";
import { type ReportedMode, type RestartMode, restartMode } from "../../claude/permission-mode.ts";
import { readRecordedModes } from "../../claude/transcript/recorded-modes.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";

/**
 * The permission mode for a restart with these flags, so that it never permits more than the session had; undefined when the flags
 * stay as they are. Prompts before `since` (milliseconds since 1970) belong to an earlier claude with flags of its own. Read it
 * before a restore: an earlier point of the transcript may have a looser mode.
 */
export function findRestartMode(
  argv: readonly string[],
  transcriptPath: string | undefined,
  since: number,
  reported?: ReportedMode,
): RestartMode | undefined {
  const recorded =
    transcriptPath === undefined
      ? undefined
      : withFile(transcriptPath, ({ fd, size }) => readRecordedModes(linesBackwards(fd, size), since));
  return restartMode(permissionModeOf(splitArguments(argv)), recorded ?? {}, reported);
}

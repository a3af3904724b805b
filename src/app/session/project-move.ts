import { isWithin, type Relocation } from "../../core/rehome/moved-path.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { listRehomeRecords } from "../../store/rehome/rehome-records.ts";
import type { Environment } from "../environment.ts";
import { cwdOf } from "./project-directory.ts";

/** Claude writes its directory in almost every line. */
const maxTailBytes = 256_000;

/** The move of a session's project that Claude has not worked after yet. */
export function untoldMove({ paths }: Environment, sessionId: string, transcriptPath: string): Relocation | undefined {
  const move = listRehomeRecords(paths).find(
    ({ state, steps }) =>
      state === "done" && steps.some(({ owner }) => owner.kind === "session" && owner.id === sessionId),
  )?.move;
  if (move === undefined) return undefined;
  const last = withFile(transcriptPath, ({ fd, size }) => {
    for (const line of linesBackwards(fd, size, maxTailBytes)) {
      const cwd = cwdOf(line);
      if (cwd !== undefined) return cwd;
    }
    return undefined;
  });
  return last === undefined || isWithin(move.to, last) ? undefined : move;
}

import { removeFile } from "../../io/durable/durable.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import { heldSession, HostRecords, needsUser, needsUserHint } from "../../store/hosts/host-records.ts";

/** A host may have written the hint just now. */
const minHintAgeMs = 2_000;

/** How many other sessions wait for their user. Removes the hint when none does. */
export function countNeedingUser(stateRoot: string, ownSession: string, now: number): number {
  const hint = needsUserHint(stateRoot);
  const before = fileFacts(hint)?.modified ?? now;
  const needing = new HostRecords(stateRoot).all().filter(needsUser);
  const isUnchanged = fileFacts(hint)?.modified === before && now - before > minHintAgeMs;
  if (needing.length === 0 && isUnchanged) removeFile(hint);
  return needing.filter((record) => heldSession(record) !== ownSession).length;
}

import { plainText } from "../../claude/transcript/plain-text.ts";
import { type FleetState, hasFleetRunEnded } from "../../core/fleet/fleet-run.ts";
import { readHead } from "../../hub/subjects.ts";
import type { Environment } from "../environment.ts";
import { readWholeItem } from "../hub/fetch/read-item.ts";
import type { Hub } from "../hub/open-hub.ts";
import { withHub } from "../hub/open-hub.ts";
import { runNames, runSubjectId } from "../hub/replicate/gather-run.ts";
import { openManifest } from "../hub/replicate/subject.ts";
import { findFleetRow } from "./fleet-queue.ts";

const checkIntervalMs = 500;

export interface FleetFollower {
  readonly print: (text: string) => Promise<void>;
  /** Called when its state changes. */
  readonly note: (state: FleetState) => void;
}

export interface FollowedRun {
  readonly id: string;
  readonly state: FleetState;
}

/**
 * Prints the output of a run of the fleet from any machine: what the hub has, and with `live` what arrives until it ends. Undefined
 * when the fleet has no such run.
 */
export const followFleet = (
  environment: Environment,
  given: string,
  { follower, live, left }: { readonly follower: FleetFollower; readonly live: boolean; readonly left: AbortSignal },
): Promise<FollowedRun | undefined> =>
  withHub(environment, async (hub) => {
    const first = await findFleetRow(hub, given);
    if (!first) return undefined;
    const { id } = first;
    let shown = 0;
    let state: FleetState | undefined;
    for (;;) {
      // Reads the state before the output, so that later output is printed in the next round.
      const row = (await findFleetRow(hub, id)) ?? first;
      if (row.state !== state) follower.note((state = row.state));
      const output = await readOutput(hub, id, shown);
      if (output.text !== "") await follower.print(output.text);
      shown = output.end;
      if (!live || hasFleetRunEnded(row.state) || left.aborted) return { id, state: row.state };
      await Bun.sleep(checkIntervalMs);
    }
  });

/** Whole lines after `from`. A shorter output is a new one. */
async function readOutput(hub: Hub, id: string, from: number): Promise<{ text: string; end: number }> {
  const head = await readHead(hub.connection, runSubjectId(id));
  const item = openManifest(hub.sealer, head).items.find(({ name }) => name === runNames.log);
  if (!head || !item || item.size === from) return { text: "", end: from };
  const bytes = await readWholeItem(hub, head.id, item);
  const start = from > bytes.length ? 0 : from;
  const end = bytes.lastIndexOf("\n") + 1;
  if (end <= start) return { text: "", end: start };
  return { text: plainText(bytes.subarray(start, end).toString()), end };
}

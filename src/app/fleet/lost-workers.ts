import type { WorkerRow } from "../../hub/fleet-workers.ts";
import type { Environment } from "../environment.ts";
import { openLabel } from "../hub/labels.ts";
import type { Hub } from "../hub/open-hub.ts";
import { notify } from "../notify/notify.ts";

/** Tells the user of this machine that a worker fell silent. Each is told once, by the worker that noticed it. */
export function tellLost(environment: Environment, { sealer }: Hub, lost: readonly WorkerRow[]): void {
  for (const { id, label } of lost) {
    const name = openLabel(sealer, id, label)?.["name"];
    notify(environment, {
      event: "machine-lost",
      source: "worker",
      id,
      title: typeof name === "string" ? name : null,
      directory: "",
      cause: null,
      until: null,
      need: null,
    });
  }
}

import { currentEnvironment } from "../../../src/app/environment.ts";
import { withHub } from "../../../src/app/hub/open-hub.ts";
import { readWholeItem } from "../../../src/app/hub/fetch/read-item.ts";
import { openManifest } from "../../../src/app/hub/replicate/subject.ts";
import type { Manifest } from "../../../src/core/hub/manifest.ts";
import { readHead } from "../../../src/hub/subjects.ts";
import type { HubMachine } from "./machine.ts";

export interface InHub {
  seq: number;
  fence: number;
  holder: string;
  manifest: Manifest;
  /** The verified plain bytes of every item, by name. */
  contents: Map<string, Buffer>;
}

/** What the hub has of a subject, read and verified as a machine does it. */
export function readFromHub(machine: HubMachine, id: string): Promise<InHub | undefined> {
  return withHub(currentEnvironment(machine.env), async (hub) => {
    const head = await readHead(hub.connection, id);
    if (!head) return undefined;
    const manifest = openManifest(hub.sealer, head);
    const contents = new Map<string, Buffer>();
    for (const item of manifest.items) contents.set(item.name, await readWholeItem(hub, id, item));
    const { seq, fence, holder } = head;
    return { seq, fence, holder, manifest, contents };
  });
}

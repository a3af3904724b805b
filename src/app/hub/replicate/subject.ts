import { Failure } from "../../../core/failure.ts";
import { emptyManifest, type Manifest, manifestBinding, parseManifest } from "../../../core/hub/manifest.ts";
import type { Head } from "../../../hub/subjects.ts";
import type { Sealer } from "../../../io/seal/seal.ts";
import type { Source } from "./sources.ts";

export type SubjectKind = "session" | "run" | "workspace";

/** Everything of one session, run or workspace that goes to the hub. */
export interface SubjectContent {
  readonly sources: readonly Source[];
  readonly documents: Readonly<Record<string, string>>;
}

export interface Subject {
  readonly id: string;
  readonly kind: SubjectKind;
  readonly label: object;
  /** Texts under which other machines find it; the database sees only their tags. */
  readonly tags: readonly string[];
  /** In use on this machine: no other machine may take it. */
  readonly isLive: boolean;
  /** `remote`: what the hub has. Undefined when it cannot be read now. */
  gather(remote: Manifest): Promise<SubjectContent | undefined>;
}

/** What the hub has of it. Refuses a manifest that was changed, or is of another subject or another time. */
export function openManifest(sealer: Sealer, head: Head | undefined): Manifest {
  if (head === undefined) return emptyManifest;
  const opened = sealer.open(head.manifest, manifestBinding(head.id, head.seq));
  const manifest = opened && parseManifest(opened.toString());
  if (manifest) return manifest;
  throw new Failure("corrupt", `the hub's list of ${head.kind} ${head.id} is not what a machine of this hub wrote`, {
    hint: "It was changed in the database, or the database was restored in part. Local copies are not affected.",
  });
}

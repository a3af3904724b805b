import { Failure } from "../../../core/failure.ts";
import { decideLease } from "../../../core/hub/lease.ts";
import { type HubProject, isSameProject, mapProject, projectTags } from "../../../core/hub/map-project.ts";
import { type Head, listHeads } from "../../../hub/subjects.ts";
import { listMachines } from "../../../hub/machines.ts";
import { listTreeDirectories } from "../../../store/trees/tree-paths.ts";
import { readRecord } from "../../../store/trees/tree-record.ts";
import { isDirectory } from "../../../io/files/read-file.ts";
import type { Environment } from "../../environment.ts";
import { openLabel } from "../labels.ts";
import type { Hub } from "../open-hub.ts";
import { readProject } from "../project.ts";

/** What a session is called, and where it belongs. Only machines with the key can read it. */
export interface SessionLabel {
  readonly cwd: string | null;
  readonly project: HubProject | null;
  readonly title: string | null;
  /** The file marks of its workspace. */
  readonly workspace: string | null;
}

export function readLabel({ sealer }: Hub, { id, label }: Head): SessionLabel {
  const opened = openLabel(sealer, id, label);
  const text = (name: string): string | null => {
    const value = opened?.[name];
    return typeof value === "string" ? value : null;
  };
  return {
    cwd: text("cwd"),
    project: readHubProject(opened?.["project"]),
    title: text("title"),
    workspace: text("workspace"),
  };
}

function readHubProject(value: unknown): HubProject | null {
  if (typeof value !== "object" || value === null) return null;
  const { remote, root, inside } = value as Partial<HubProject>;
  if (typeof root !== "string" || typeof inside !== "string") return null;
  return { remote: typeof remote === "string" ? remote : null, root, inside };
}

const maxListed = 50;

/** The sessions of this directory's project, newest first. */
export async function listOfProject(hub: Hub, directory: string): Promise<Head[]> {
  const project = readProject(directory);
  const tags = projectTags(project).map((tag) => hub.sealer.tag(tag));
  const heads = await listHeads(hub.connection, "session", { tags, limit: maxListed });
  return heads.filter((head) => readLabel(hub, head).project?.inside === project.inside);
}

/** Where a session of another machine continues on this one: here, or in another checkout that this machine knows. */
export function placeFor({ paths }: Environment, label: SessionLabel, directory: string): string | undefined {
  const { project } = label;
  if (project === null) return undefined;
  const here = readProject(directory);
  const known = listTreeDirectories(paths).flatMap((tree): HubProject[] => {
    const record = readRecord(tree);
    return record && record !== "damaged" && isDirectory(record.workspace) ? [readProject(record.workspace)] : [];
  });
  const mapped = mapProject(project, [here, ...known]);
  // Without a remote the path is the only sign, and a missing directory is none.
  return mapped !== undefined && (isSameProject(project, here) || isDirectory(mapped)) ? mapped : undefined;
}

export async function nameOfMachine({ connection, sealer }: Hub, id: string): Promise<string> {
  const row = (await listMachines(connection)).find((machine) => machine.id === id);
  const name = row && openLabel(sealer, id, row.label)?.["name"];
  return typeof name === "string" ? name : id;
}

/** Refuses a session that another machine is writing now. */
export async function refuseHeld(hub: Hub, head: Head): Promise<void> {
  if (decideLease(head, hub.config.machine) !== "held") return;
  const name = await nameOfMachine(hub, head.holder);
  const seconds = Math.ceil(head.leftMs / 1000);
  throw new Failure("locked", `session ${head.id} is open on ${name}`, {
    hint: `Close it there, or try again when its lease has ended (in ${seconds} s, unless ${name} renews it).`,
  });
}

import type { Manifest } from "../../../core/hub/manifest.ts";
import { textHash } from "../../../io/files/text-hash.ts";
import { findGit } from "../../../io/git/find-git.ts";
import { packNewTrees } from "../../../store/trees/send-trees.ts";
import { readRecord, type TreeRecord } from "../../../store/trees/tree-record.ts";
import type { Environment } from "../../environment.ts";
import { bytesSource } from "./sources.ts";
import type { Subject, SubjectContent } from "./subject.ts";

/** The names of a workspace's items and documents in the hub. */
export const workspaceNames = { pack: "pack/", marks: "marks", sent: "sent" } as const;

/** The same directory on two machines is two workspaces. */
export const workspaceId = (machine: string, root: string): string => `files-${machine}-${textHash(root)}`;

/** The file marks of a workspace, as packs of what the hub does not have yet. Undefined without marks or git. */
export function workspaceSubject(environment: Environment, machine: string, directory: string): Subject | undefined {
  const record = readRecord(directory);
  if (record === undefined || record === "damaged" || record.marks.length === 0) return undefined;
  const executable = findGit(environment.variables["PATH"] ?? "", record.workspace);
  if (executable === undefined) return undefined;
  return {
    id: workspaceId(machine, record.workspace),
    kind: "workspace",
    label: { root: record.workspace },
    tags: [],
    isLive: false,
    gather: (remote) => gather({ executable, directory }, record, remote),
  };
}

async function gather(
  git: { executable: string; directory: string },
  record: TreeRecord,
  { documents }: Manifest,
): Promise<SubjectContent> {
  const sent = sentTrees(documents);
  const trees = [...new Set(record.marks.map(({ tree }) => tree))].filter((tree) => !sent.includes(tree));
  const marks = JSON.stringify({ workspace: record.workspace, marks: record.marks });
  if (trees.length === 0) {
    return { sources: [], documents: { ...documents, [workspaceNames.marks]: marks } };
  }
  const pack = await packNewTrees(git, trees, sent);
  const name = `${workspaceNames.pack}${pack.subarray(-20).toString("hex")}`;
  return {
    sources: [bytesSource(name, pack)],
    documents: { [workspaceNames.marks]: marks, [workspaceNames.sent]: JSON.stringify([...sent, ...trees]) },
  };
}

function sentTrees(documents: Manifest["documents"]): string[] {
  const value: unknown = JSON.parse(documents[workspaceNames.sent] ?? "[]");
  return Array.isArray(value) ? value.filter((tree): tree is string => typeof tree === "string") : [];
}

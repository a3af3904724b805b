import type { Manifest } from "../../../core/hub/manifest.ts";
import { projectTags } from "../../../core/hub/map-project.ts";
import { fileSize, readText } from "../../../io/files/read-file.ts";
import { forEachUnpacked } from "../../../store/packing/packed-frames.ts";
import { type Generation, viewSession } from "../../../store/snapshots/session-view.ts";
import { listSideCopies } from "../../../store/snapshots/side-files.ts";
import { packedPath } from "../../../store/snapshots/snapshot-paths.ts";
import type { Environment } from "../../environment.ts";
import { readSessionTitle } from "../../session/session-title.ts";
import { readProject } from "../project.ts";
import { bytesSource, type FileSources, type Source } from "./sources.ts";
import type { Subject, SubjectContent } from "./subject.ts";

/** The names of a session's items and documents in the hub. */
export const sessionNames = {
  mirror: (generation: number): string => `mirror/${generation}`,
  state: "state",
  pastState: (generation: number): string => `past/${generation}`,
  side: "side/",
  steps: "steps",
  olderSteps: "steps-older",
} as const;

/** Undefined when there is no snapshot, or its state cannot be read now. */
export function sessionSubject(
  environment: Environment,
  sources: FileSources,
  sessionId: string,
  { isLive, workspace }: { readonly isLive: boolean; readonly workspace: (root: string) => string },
): Subject | undefined {
  const { paths } = environment;
  const view = viewSession(paths, sessionId);
  if (!view) return undefined;
  const project = view.cwd === undefined ? undefined : readProject(view.cwd);
  return {
    id: sessionId,
    kind: "session",
    label: {
      cwd: view.cwd ?? null,
      project: project ?? null,
      title: readSessionTitle(view.transcriptPath) ?? null,
      workspace: project ? workspace(project.root) : null,
    },
    tags: project ? projectTags(project) : [],
    isLive,
    gather: () => Promise.resolve(gather(environment, sources, sessionId)),
  };
}

function gather({ paths }: Environment, files: FileSources, sessionId: string): SubjectContent | undefined {
  // The state is read first: it never promises bytes that are not there yet.
  const state = readText(paths.state(sessionId));
  const view = viewSession(paths, sessionId);
  if (state === undefined || !view || readText(paths.state(sessionId)) !== state) return undefined;
  const documents: Record<string, string> = { [sessionNames.state]: state };
  const sources: Source[] = [];
  for (const generation of view.generations) {
    const past = generation.ended && readText(paths.pastState(sessionId, generation.number));
    if (past !== undefined) documents[sessionNames.pastState(generation.number)] = past;
    const source = mirrorSource(files, generation);
    // A past generation may have lost its bytes; without the current one there is nothing to acknowledge.
    if (source) sources.push(source);
    else if (!generation.ended) return undefined;
  }
  for (const { generations } of listSideCopies(paths.sideFiles(sessionId))) {
    for (const { path, size } of generations) {
      sources.push(files.file(`${sessionNames.side}${path.slice(paths.sideFiles(sessionId).length + 1)}`, path, size));
    }
  }
  const steps = [
    [sessionNames.steps, paths.steps(sessionId)],
    [sessionNames.olderSteps, paths.olderSteps(sessionId)],
  ] as const;
  for (const [name, path] of steps) {
    const size = fileSize(path);
    if (size !== undefined) sources.push(files.file(name, path, size));
  }
  return { sources, documents };
}

function mirrorSource(files: FileSources, generation: Generation): Source | undefined {
  const { mirrorPath, packed, size, number } = generation;
  const name = sessionNames.mirror(number);
  if (!packed) return (fileSize(mirrorPath) ?? -1) < size ? undefined : files.file(name, mirrorPath, size);
  const parts: Uint8Array[] = [];
  const unpacked = forEachUnpacked(packedPath(mirrorPath), packed, size, (bytes) => void parts.push(bytes.slice()));
  return unpacked < size ? undefined : bytesSource(name, Buffer.concat(parts));
}

/** The generation that was the conversation when the manifest was written. */
export function currentGeneration({ documents }: Manifest): number | undefined {
  try {
    const state = JSON.parse(documents[sessionNames.state] ?? "null") as { generation?: unknown } | null;
    return typeof state?.generation === "number" ? state.generation : undefined;
  } catch {
    return undefined;
  }
}

import { nameInProject, projectsDirectory, sessionOfFile, sideDirectory } from "../../claude/paths.ts";
import { isSubagentTranscript, isToolResult } from "../../claude/side-files/side-file.ts";
import { isSessionId } from "../../core/session-id.ts";
import { fileFacts, listDirectory, listFiles } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../../store/snapshots/snapshot-paths.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";

/** What a source is to its session: the conversation as it is now, an earlier state of it, or a file that it points to. */
export type SourceKind =
  | { readonly kind: "present" }
  | { readonly kind: "generation"; readonly generation: number }
  | { readonly kind: "side-file"; readonly name: string };

export interface Source {
  readonly key: string;
  readonly session: string;
  /** Claude's name for the project's directory. */
  readonly project: string;
  /** The file, plain or packed: only tells whether something changed. */
  readonly path: string;
  readonly modified: number;
  readonly bytes: number;
}

/** Keys are stable: a session has the same when its transcript is deleted and only the snapshot is left. */
const keyOf = (session: string, source: SourceKind): string =>
  source.kind === "present"
    ? session
    : source.kind === "generation"
      ? `${session}/${source.generation}`
      : `${session}/side/${source.name}`;

export function readKey(key: string): { session: string } & SourceKind {
  const [session = "", second, ...name] = key.split("/");
  if (second === undefined) return { session, kind: "present" };
  if (second === "side") return { session, kind: "side-file", name: name.join("/") };
  return { session, kind: "generation", generation: Number(second) };
}

/**
 * Everything that can be searched, the oldest first. Also reads the copies of side files with `all`; without it, only of sessions
 * that Claude has deleted, because there are many and they hardly change.
 */
export function listSources({ claudeConfig, paths }: Environment, { all }: { all: boolean }): Source[] {
  const found = new Map<string, Source>();
  const projects = new Map<string, string>();
  const add = (path: string, session: string, what: SourceKind, project: string): void => {
    const key = keyOf(session, what);
    const facts = found.has(key) ? undefined : fileFacts(path);
    if (!facts) return;
    found.set(key, { key, session, project, path, modified: facts.modified, bytes: facts.size });
  };
  const addSideFiles = (directory: string, session: string, project: string): void => {
    for (const name of listFiles(directory)) {
      if (isSearchable(name)) add(`${directory}/${name}`, session, { kind: "side-file", name }, project);
    }
  };
  const root = projectsDirectory(claudeConfig);
  for (const project of listDirectory(root)) {
    const names = new Set(listDirectory(`${root}/${project}`));
    for (const name of names) {
      const session = sessionOfFile(name);
      if (session === undefined || !isSessionId(session) || projects.has(session)) continue;
      projects.set(session, project);
      const path = `${root}/${project}/${name}`;
      add(path, session, { kind: "present" }, project);
      if (names.has(session)) addSideFiles(sideDirectory(path), session, project);
    }
  }
  const live = new Set(projects.keys());
  const projectOf = (session: string): string => {
    const known =
      projects.get(session) ?? nameInProject(viewSession(paths, session)?.transcriptPath ?? "").split("/")[0];
    projects.set(session, known ?? "");
    return known ?? "";
  };
  for (const { session, path, what } of listCopies(paths)) {
    if (what.kind === "generation" || !live.has(session)) add(path, session, what, projectOf(session));
  }
  for (const session of listDirectory(`${paths.snapshots}/side-files`)) {
    if (isSessionId(session) && (all || !live.has(session)))
      addSideFiles(paths.sideFiles(session), session, projectOf(session));
  }
  return [...found.values()].sort((one, other) => one.modified - other.modified);
}

/** Transcripts of subagents and large results of tools; also the earlier generations of our copies. */
const isSearchable = (name: string): boolean => {
  const original = name.replace(/\.before-\d+$/, "");
  return isSubagentTranscript(original) || isToolResult(original);
};

/** The mirrors of all sessions, current and past. */
function* listCopies(paths: SnapshotPaths): Generator<{ session: string; path: string; what: SourceKind }> {
  for (const name of listDirectory(paths.snapshots)) {
    const session = /^([^.]+)\.jsonl(?:\.zst)?$/.exec(name)?.[1];
    if (session !== undefined) yield { session, path: `${paths.snapshots}/${name}`, what: { kind: "present" } };
  }
  for (const name of listDirectory(paths.generations)) {
    const [, session, number] = /^([^.]+)\.(\d+)\.jsonl(?:\.zst)?$/.exec(name) ?? [];
    if (session === undefined) continue;
    const what = { kind: "generation", generation: Number(number) } as const;
    yield { session, path: `${paths.generations}/${name}`, what };
  }
}

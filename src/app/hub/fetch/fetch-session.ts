import { projectDirectoryName, projectsDirectory, sideDirectory, transcriptPath } from "../../../claude/paths.ts";
import { Failure } from "../../../core/failure.ts";
import { compareConversations, leaseSeconds } from "../../../core/hub/lease.ts";
import { type Item, type Manifest } from "../../../core/hub/manifest.ts";
import { withSeen } from "../../../core/hub/replication-state.ts";
import { type Head, readHead, takeLease } from "../../../hub/subjects.ts";
import { copyFile, makeDirectory, replaceFile } from "../../../io/durable/durable.ts";
import { fileMode, fileSize, parentOf, readRange, resolveLinks, withFile } from "../../../io/files/read-file.ts";
import { readReplicationState, writeReplicationState } from "../../../store/hub/hub-files.ts";
import { importSnapshot, Incoming, type IncomingFile, type IncomingGeneration } from "../../../store/hub/incoming.ts";
import { keepBackup, markDone } from "../../../store/snapshots/backups.ts";
import { beginGeneration } from "../../../store/snapshots/generations.ts";
import { hasSnapshot } from "../../../store/snapshots/session-view.ts";
import type { Environment } from "../../environment.ts";
import { findHolder } from "../../session/find-holder.ts";
import { findTranscript } from "../../session/find-transcript.ts";
import { withSession } from "../../session/session-guard.ts";
import { heal, takeSnapshot } from "../../snapshot/take-snapshot.ts";
import { fileHash } from "../../../store/packing/file-hash.ts";
import { nameOfMachine, readLabel, refuseHeld, type SessionLabel } from "./find-in-hub.ts";
import { currentGeneration, sessionNames } from "../replicate/gather-session.ts";
import type { Hub } from "../open-hub.ts";
import { readItem } from "./read-item.ts";
import { openManifest } from "../replicate/subject.ts";

export interface Fetched {
  readonly sessionId: string;
  /** `diverged`: what this machine had beside it is kept as an earlier generation. */
  readonly kind: "current" | "new" | "longer" | "diverged";
  readonly directory: string;
  /** The machine that wrote it last. */
  readonly from: string;
  readonly label: SessionLabel;
}

/**
 * Makes this machine the writer of a session, and brings its conversation here. Everything is fetched and verified before the
 * lease is taken, and the lease is taken before anything is put in place. `incoming`: undefined when this machine wrote it last
 * and has everything.
 */
export async function fetchSession(
  environment: Environment,
  hub: Hub,
  head: Head,
  { directory, incoming }: { readonly directory: string; readonly incoming: Incoming | undefined },
): Promise<Fetched> {
  const { paths } = environment;
  const sessionId = head.id;
  refuseReplay(environment, hub, head);
  await refuseHeld(hub, head);
  const label = readLabel(hub, head);
  if (!incoming) {
    await takeOver(hub, head);
    return { sessionId, kind: "current", directory, from: hub.config.name, label };
  }
  const from = await nameOfMachine(hub, head.holder);
  const manifest = openManifest(hub.sealer, head);
  const arrived = await receive(hub, sessionId, manifest, incoming);
  await takeOver(hub, head);
  const kind = await withSession(environment, sessionId, () => place(environment, sessionId, arrived, directory));
  const state = readReplicationState(paths, hub.config.hub);
  const { [sessionId]: _, ...diverged } = state.diverged;
  writeReplicationState(paths, { ...state, diverged, seen: withSeen(state.seen, sessionId, head.seq) });
  return { sessionId, kind, directory, from, label };
}

/** The hub may be older than what this machine has seen, after a restored backup or by malice: then nothing is replaced. */
function refuseReplay({ paths }: Environment, { config }: Hub, { id, seq, holder }: Head): void {
  if (holder === config.machine || seq >= (readReplicationState(paths, config.hub).seen[id] ?? 0)) return;
  throw new Failure("corrupt", `the hub has an older state of session ${id} than this machine has already seen`, {
    hint: "If the database was restored from a backup, run ai-runtime hub sync on the machine that wrote the session last.",
  });
}

async function takeOver(hub: Hub, head: Head): Promise<void> {
  if ((await takeLease(hub.connection, head, hub.config.machine, leaseSeconds)) !== undefined) return;
  const now = await readHead(hub.connection, head.id);
  if (now) await refuseHeld(hub, now);
  throw new Failure("locked", `another machine has just taken session ${head.id}`, { hint: "Try again." });
}

/** This machine wrote it last, so it has everything that the hub has; unless a fetch was killed in between. */
export const isWholeHere = ({ paths }: Environment, { config }: Hub, { id, holder }: Head): boolean =>
  holder === config.machine && hasSnapshot(paths, id) && !Incoming.isLeft(paths, id);

interface Arrived {
  readonly generations: readonly IncomingGeneration[];
  readonly sideFiles: readonly { readonly name: string; readonly file: IncomingFile }[];
  /** The finished tool calls, by the name of their document. */
  readonly steps: readonly { readonly name: string; readonly file: IncomingFile }[];
}

async function receive(hub: Hub, sessionId: string, manifest: Manifest, incoming: Incoming): Promise<Arrived> {
  const fetchItem = async (item: Item): Promise<IncomingFile> => {
    const file = incoming.begin();
    await readItem(hub, sessionId, item, (bytes) => file.append(bytes));
    return file;
  };
  const mirrors = manifest.items
    .flatMap((item) => {
      const number = /^mirror\/(\d+)$/.exec(item.name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), item }];
    })
    .sort((one, other) => one.number - other.number);
  const current = currentGeneration(manifest) ?? mirrors.at(-1)?.number ?? 0;
  const generations: IncomingGeneration[] = [];
  for (const { number, item } of mirrors.filter((each) => each.number <= current)) {
    const name = number === current ? sessionNames.state : sessionNames.pastState(number);
    generations.push({ number, file: await fetchItem(item), stateText: manifest.documents[name] ?? "" });
  }
  if (generations.at(-1)?.number !== current) {
    throw new Failure("not-found", `the hub has no conversation of session ${sessionId} yet`);
  }
  const sideFiles: { name: string; file: IncomingFile }[] = [];
  for (const item of manifest.items) {
    if (!item.name.startsWith(sessionNames.side) || item.name.includes("~")) continue;
    const name = item.name.slice(sessionNames.side.length);
    if (name.split("/").includes("..") || name.startsWith("/")) continue;
    sideFiles.push({ name, file: await fetchItem(item) });
  }
  const steps: { name: string; file: IncomingFile }[] = [];
  for (const item of manifest.items) {
    if (item.name !== sessionNames.steps && item.name !== sessionNames.olderSteps) continue;
    steps.push({ name: item.name, file: await fetchItem(item) });
  }
  return { generations, sideFiles, steps };
}

/** The caller holds the lock of the session. */
function place(environment: Environment, sessionId: string, arrived: Arrived, directory: string): Fetched["kind"] {
  const { claudeConfig } = environment;
  const present = findTranscript(environment, sessionId);
  if (findHolder(environment, sessionId, present)) {
    throw new Failure("locked", `session ${sessionId} is open on this machine`, { hint: "Close it first." });
  }
  const project = `${projectsDirectory(claudeConfig)}/${projectDirectoryName(resolveLinks(directory))}`;
  const target = present === undefined ? transcriptPath(project, sessionId) : resolveLinks(present);
  // Everything that this machine has is copied before anything is replaced.
  if (present !== undefined) takeSnapshot(environment, { sessionId, transcriptPath: present, reason: "hub" });
  const kind = hasSnapshot(environment.paths, sessionId)
    ? continueHere(environment, sessionId, arrived, target)
    : begin(environment, sessionId, arrived, { transcriptPath: target, cwd: directory });
  placeSideFiles(environment, sessionId, arrived, target);
  placeSteps(environment, sessionId, arrived);
  return kind;
}

function begin(
  environment: Environment,
  sessionId: string,
  { generations }: Arrived,
  place: { readonly transcriptPath: string; readonly cwd: string },
): Fetched["kind"] {
  const current = generations.at(-1);
  if (!current) return "current";
  makeDirectory(parentOf(place.transcriptPath), { shared: true });
  writeStart(current.file, place.transcriptPath);
  makeDirectory(environment.paths.snapshots);
  importSnapshot(environment.paths, sessionId, generations, place);
  takeSnapshot(environment, { sessionId, ...place, reason: "hub" });
  return "new";
}

/** This machine knows the session: its own copy is compared with the one of the hub. */
function continueHere(
  environment: Environment,
  sessionId: string,
  { generations }: Arrived,
  target: string,
): Fetched["kind"] {
  const { paths, now } = environment;
  const state = heal(environment, sessionId);
  const file = generations.at(-1)?.file;
  if (!file) return "current";
  const size = file.wholeLines;
  const common = commonStart(paths.mirror(sessionId), file.path, Math.min(state.size, size));
  const difference = compareConversations(state.size, size, common);
  const isMissing = fileSize(target) === undefined;
  if (!isMissing && (difference === "same" || difference === "ahead")) return "current";
  const replacement = difference === "ahead" ? undefined : file;
  if (!replacement) return "current";
  const backup = keepBackup(paths, { sessionId, kind: "restore", target, replacement: null, now: now() });
  if (difference === "diverged") beginGeneration(paths, state, "diverged", now());
  makeDirectory(parentOf(target), { shared: true });
  writeStart(replacement, target);
  markDone(paths, { ...backup, replacement: fileHash(target) ?? null });
  takeSnapshot(environment, { sessionId, transcriptPath: target, reason: "hub" });
  return difference === "diverged" ? "diverged" : "longer";
}

function writeStart(file: IncomingFile, target: string): void {
  const mode = fileMode(target) ?? 0o600;
  withFile(file.path, ({ fd }) => replaceFile(target, { source: fd, from: 0, to: file.wholeLines }, { mode }));
}

const compareBytes = 256 * 1024;

/** How many bytes are the same from the beginning on. */
function commonStart(one: string, other: string, limit: number): number {
  const same = withFile(one, (a) =>
    withFile(other, (b) => {
      for (let at = 0; at < limit; at += compareBytes) {
        const end = Math.min(limit, at + compareBytes);
        const [here, there] = [readRange(a.fd, at, end), readRange(b.fd, at, end)];
        const differs = here.findIndex((byte, index) => byte !== there[index]);
        if (differs >= 0) return at + differs;
      }
      return limit;
    }),
  );
  return same ?? 0;
}

/** Only files that are missing or shorter here: a side file never gets smaller. */
function placeSideFiles({ paths }: Environment, sessionId: string, { sideFiles }: Arrived, transcript: string): void {
  for (const { name, file } of sideFiles) {
    const places = [`${paths.sideFiles(sessionId)}/${name}`];
    if (!/\.before-\d+$/.test(name)) places.push(`${sideDirectory(transcript)}/${name}`);
    for (const target of places) {
      const size = fileSize(target);
      if (size !== undefined && size >= file.size) continue;
      makeDirectory(parentOf(target), { shared: true });
      if (size === undefined) copyFile(file.path, target);
      else withFile(file.path, ({ fd }) => replaceFile(target, { source: fd, from: 0, to: file.size }));
    }
  }
}

/** Of two files, the longer one that begins with the other counts; calls that only this machine knows stay. */
function placeSteps({ paths }: Environment, sessionId: string, { steps }: Arrived): void {
  for (const { name, file } of steps) {
    const target = name === sessionNames.steps ? paths.steps(sessionId) : paths.olderSteps(sessionId);
    const size = fileSize(target);
    if (size !== undefined && (size >= file.size || commonStart(target, file.path, size) < size)) continue;
    makeDirectory(paths.stepsDirectory);
    withFile(file.path, ({ fd }) => replaceFile(target, { source: fd, from: 0, to: file.size }));
  }
}

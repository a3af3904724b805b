import type { FileChange, LineCounts, TreeEntry } from "../../core/files/file-change.ts";
import { objectId } from "../../io/git/objects.ts";
import { type Git, runGit, splitNul } from "../../io/git/run-git.ts";

const kinds: Record<string, TreeEntry["kind"]> = { "100644": "file", "100755": "executable", "120000": "link" };

/** What differs between two trees, by path. */
export async function compareTrees(git: Git, from: string, to: string): Promise<FileChange[]> {
  if (from === to) return [];
  const fields = splitNul(await runGit(git, ["diff-tree", "-r", "-z", "--no-renames", from, to]));
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, oldMode, newMode, oldId, newId] = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(fields[at] ?? "") ?? [];
    changes.push({ path: fields[at + 1] ?? "", from: entryOf(oldMode, oldId), to: entryOf(newMode, newId) });
  }
  return changes;
}

function entryOf(mode: string | undefined, id: string | undefined): TreeEntry | undefined {
  const kind = kinds[mode ?? ""];
  return kind && id !== undefined ? { kind, id } : undefined;
}

export interface CountedFile extends LineCounts {
  path: string;
  isBinary: boolean;
}

/** Added and removed lines of every changed file, for each pair of trees. */
export async function countChangedLines(
  git: Git,
  pairs: readonly (readonly [string, string])[],
): Promise<CountedFile[][]> {
  const counted: CountedFile[][] = pairs.map(() => []);
  const asked = pairs.flatMap((pair, at) => (pair[0] === pair[1] ? [] : [{ pair, at }]));
  if (asked.length === 0) return counted;
  const input = asked.map(({ pair }) => `${pair[0]} ${pair[1]}\n`).join("");
  const words = ["diff-tree", "--stdin", "-r", "-z", "--no-renames", "--numstat"];
  const output = (await runGit(git, words, { input })).toString("latin1");
  // Each pair begins with a line of its own: "tree tree\n".
  const sections = output.split(/(?:^|\0)[0-9a-f]{40,64} [0-9a-f]{40,64}\n/).slice(1);
  const headers = [...output.matchAll(/(?:^|\0)([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n/g)];
  headers.forEach(([, from, to], index) => {
    const files = parseCounts(sections[index] ?? "");
    for (const { pair, at } of asked) if (pair[0] === from && pair[1] === to) counted[at] = files;
  });
  return counted;
}

function parseCounts(text: string): CountedFile[] {
  return text.split("\0").flatMap((line) => {
    const [, added, removed, path] = /^(-|\d+)\t(-|\d+)\t([\s\S]+)$/.exec(line) ?? [];
    if (path === undefined) return [];
    const isBinary = added === "-";
    return [{ path, isBinary, added: isBinary ? 0 : Number(added), removed: isBinary ? 0 : Number(removed) }];
  });
}

/** The difference as a patch. Nothing of the project is asked how to show it. */
export function readPatch(git: Git, from: string, to: string, paths: readonly string[]): Promise<Buffer> {
  const words = [
    "diff-tree",
    "-r",
    "-p",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    from,
    to,
    "--",
  ];
  return runGit(git, [...words, ...paths.map((path) => Buffer.from(path, "latin1").toString("utf8"))]);
}

/** Every file and link of a tree. */
export async function listEntries(git: Git, tree: string): Promise<Map<string, TreeEntry>> {
  const lines = splitNul(await runGit(git, ["ls-tree", "-r", "-z", tree]));
  return new Map(
    lines.flatMap((line) => {
      const [, mode, id, path] = /^(\d+) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? [];
      const entry = entryOf(mode, id);
      return entry && path !== undefined ? [[path, entry] as const] : [];
    }),
  );
}

const maxChunkBytes = 32_000_000;

/** Calls `use` with the content of every id, once each, a limited number of bytes at a time. Missing content is undefined. */
export async function readContents(
  git: Git,
  ids: readonly string[],
  use: (id: string, content: Buffer | undefined) => void,
): Promise<void> {
  const unique = [...new Set(ids)];
  const awaited = new Set(ids);
  const answer = (id: string, content: Buffer | undefined): void => {
    if (awaited.delete(id)) use(id, content);
  };
  const sizes = await runGit(git, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], { input: lines(unique) });
  let chunk: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (chunk.length > 0) useContents(await runGit(git, ["cat-file", "--batch"], { input: lines(chunk) }), answer);
    [chunk, bytes] = [[], 0];
  };
  for (const line of sizes.toString("latin1").trimEnd().split("\n")) {
    const [id = "", size = ""] = line.split(" ");
    if (id === "") continue;
    if (size === "missing" || !awaited.has(id)) continue;
    if (bytes + Number(size) > maxChunkBytes) await flush();
    chunk.push(id);
    bytes += Number(size);
  }
  await flush();
  for (const id of awaited) use(id, undefined);
}

const lines = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join("");

export interface ReadObject {
  id: string;
  type: string;
  content: Buffer;
}

/** Splits the output of `cat-file --batch`: "id type size\n" and the content, which ends with a newline of its own. */
export function splitObjects(output: Buffer): (ReadObject | "missing")[] {
  const objects: (ReadObject | "missing")[] = [];
  for (let at = 0; at < output.length;) {
    const start = output.indexOf(0x0a, at) + 1;
    const [, id = "", type = "", size] = /^(\S+) (\w+) (\d+)\n$/.exec(output.toString("latin1", at, start)) ?? [];
    const end = start + Number(size ?? 0);
    objects.push(size === undefined ? "missing" : { id, type, content: output.subarray(start, end) });
    at = size === undefined ? start : end + 1;
  }
  return objects;
}

function useContents(output: Buffer, use: (id: string, content: Buffer | undefined) => void): void {
  for (const object of splitObjects(output)) {
    if (object !== "missing") use(object.id, contentId(object.content) === object.id ? object.content : undefined);
  }
}

/** Git's name for this content. */
export const contentId = (content: Uint8Array): string => objectId({ type: "blob", content });

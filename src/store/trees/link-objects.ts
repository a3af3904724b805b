import { createFile, makeDirectory } from "../../io/durable/durable.ts";
import { linkFile, syncChangedDirectories } from "../../io/durable/link-file.ts";
import { fileFacts, isDirectory, listDirectory, readText } from "../../io/files/read-file.ts";
import { namesBySha1, type ProjectGit } from "../../io/git/git-files.ts";

const maxLooseObjects = 50_000;

/**
 * Links the packs and loose objects of a project into our repository, as `git clone --local` does. It costs no space, and the
 * content stays when the project removes its own names. On another disk nothing is linked, and the mark writes what it needs.
 */
export async function linkProjectObjects(directory: string, project: ProjectGit): Promise<void> {
  if (!namesBySha1(project)) return;
  const objects = `${directory}/objects`;
  for (const source of objectDirectories(`${project.common}/objects`)) {
    if (!linkPacks(`${source}/pack`, `${objects}/pack`)) continue;
    linkLoose(source, objects);
  }
  await syncChangedDirectories(objects, 0);
}

/** A project may borrow objects from others. */
function objectDirectories(first: string): string[] {
  const found = [first];
  for (const directory of found) {
    const borrowed = readText(`${directory}/info/alternates`) ?? "";
    const absolute = borrowed.split("\n").filter((line) => line.startsWith("/") && isDirectory(line));
    found.push(...absolute.filter((line) => !found.includes(line)).slice(0, 10));
  }
  return found;
}

/** Returns false when the directory is on another disk. */
function linkPacks(from: string, to: string): boolean {
  const names = listDirectory(from).filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name));
  for (const index of names) {
    const pack = index.replace(/idx$/, "pack");
    // The keep file tells git's repack, and our maintenance, that the pack costs no space of ours.
    const keep = `${to}/${index.replace(/idx$/, "keep")}`;
    if (fileFacts(`${to}/${index}`)) continue;
    if (linkFile(`${from}/${pack}`, `${to}/${pack}`) === "impossible") return false;
    if (!fileFacts(keep)) createFile(keep, "");
    // Last, because git looks for packs by their index.
    linkFile(`${from}/${index}`, `${to}/${index}`);
  }
  return true;
}

function linkLoose(from: string, to: string): void {
  let left = maxLooseObjects;
  for (const fan of listDirectory(from).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    const names = listDirectory(`${from}/${fan}`).filter((name) => /^[0-9a-f]{38}$/.test(name));
    if (names.length > 0) makeDirectory(`${to}/${fan}`);
    for (const name of names) {
      if (left-- === 0 || linkFile(`${from}/${fan}/${name}`, `${to}/${fan}/${name}`) === "impossible") return;
    }
  }
}

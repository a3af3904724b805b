import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { isDirectory, readText } from "../../io/files/read-file.ts";

/**
 * Our own configuration. Nothing in a project's repository or attributes may run a program or change a byte: no hooks, no
 * file system monitor, no conversion of any kind. Objects are synced before their names appear. Nothing is ever removed
 * but by our own maintenance.
 */
const config = `[core]
	repositoryformatversion = 0
	bare = true
	fileMode = true
	symlinks = true
	ignoreCase = false
	precomposeUnicode = false
	protectHFS = false
	protectNTFS = false
	autocrlf = false
	safecrlf = false
	eol = lf
	hooksPath = /dev/null
	attributesFile = /dev/null
	fsmonitor = false
	fsync = loose-object,pack,pack-metadata
	fsyncObjectFiles = true
	untrackedCache = false
	splitIndex = false
	preloadIndex = true
	commitGraph = false
	logAllRefUpdates = false
	sharedRepository = 0600
[index]
	version = 4
	sparse = false
[gc]
	auto = 0
	pruneExpire = never
[maintenance]
	auto = false
[diff]
	renames = false
	external =
	noprefix = false
	mnemonicPrefix = false
	ignoreSubmodules = none
[protocol]
	allow = never
[safe]
	directory = *
`;

const attributes = "* -text -crlf -eol -ident -filter -working-tree-encoding !diff -merge\n";

/** Temporary files of a restore that was killed, and the records of runs, are no content of a project. */
const ownExcludes = [".restore.tmp-*", ".ai-runtime/"];

/** Creates what is missing. Returns whether the repository is new. */
export function prepareRepository(directory: string): boolean {
  const isNew = !isDirectory(`${directory}/objects`);
  for (const name of ["", "/refs", "/info", "/indexes", "/objects", "/objects/pack", "/objects/info"]) {
    if (isNew || name === "") makeDirectory(`${directory}${name}`);
  }
  keepText(`${directory}/config`, config);
  keepText(`${directory}/info/attributes`, attributes);
  keepText(`${directory}/HEAD`, "ref: refs/heads/none\n");
  return isNew;
}

/** Returns whether the patterns have changed. */
export function writeExcludes(directory: string, ofProject: string): boolean {
  return keepText(`${directory}/info/exclude`, [ofProject.trimEnd(), ...ownExcludes, ""].join("\n"));
}

function keepText(path: string, text: string): boolean {
  if (readText(path) === text) return false;
  replaceFile(path, text);
  return true;
}

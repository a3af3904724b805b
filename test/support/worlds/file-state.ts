import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Every file and link below a directory, with kind, permission bits and content; git's own data are left out. */
export type FileState = { [path: string]: string };

export function stateOf(root: string): FileState {
  const found: FileState = {};
  // Names are bytes: in these texts each character is one.
  const visit = (directory: string): void => {
    const at = (path: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
    const names = readdirSync(at(directory), { encoding: "buffer" }).map((name) => name.toString("latin1"));
    for (const name of names.sort()) {
      if (name === ".git") continue;
      const path = directory ? `${directory}/${name}` : name;
      const stats = lstatSync(at(path));
      if (stats.isDirectory()) visit(path);
      else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(at(path))}`;
      else if (stats.isFile())
        found[path] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(at(path)).toString("base64")}`;
    }
  };
  visit("");
  return found;
}

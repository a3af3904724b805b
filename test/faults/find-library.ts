import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Finds a preload library in the usual Linux directories; undefined when it is not installed. */
export function findLibrary(name: string): string | undefined {
  if (process.platform !== "linux" || !existsSync("/usr/lib")) return undefined;
  const directories = ["", ...readdirSync("/usr/lib")].map((directory) => join("/usr/lib", directory));
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

const maxReadableLength = 40;

/** A file name for a path: its last part, plus a hash of the whole path to make it unique. */
export function pathSlug(path: string, hash: (text: string) => string): string {
  const base = path.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  const readable = base
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxReadableLength)
    .replace(/^-+|-+$/g, "");
  return `${readable || "workspace"}-${hash(path).slice(0, 10)}`;
}

// Bun bundles the page when the executable is built. We serve its files ourselves, because each answer needs our headers.
import page from "../../web/index.html";

export interface PageFile {
  readonly content: Blob;
  readonly type: string;
}

/** What Bun makes of an import of HTML in a compiled executable. */
interface BundledPage {
  readonly index: string;
  readonly files: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** By their path in the address. Nothing else is ever read from a path that a client sends. */
function filesByPath(): ReadonlyMap<string, PageFile> {
  const { index, files } = page as unknown as BundledPage;
  return new Map(
    files.map(({ path, headers }) => [
      path === index ? "/" : `/${nameOf(path)}`,
      { content: Bun.file(path), type: headers["content-type"] ?? "application/octet-stream" },
    ]),
  );
}

let byPath: ReadonlyMap<string, PageFile> | undefined;

export const pageFile = (path: string): PageFile | undefined => (byPath ??= filesByPath()).get(path);

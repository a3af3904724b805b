import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As withScratchDirectory; where none can be made, the work does without. */
export async function withOptionalScratchDirectory<T>(work: (path: string | undefined) => Promise<T>): Promise<T> {
  let path: string;
  try {
    path = realpathSync(mkdtempSync(join(tmpdir(), "ai-runtime-")));
  } catch {
    return work(undefined);
  }
  try {
    return await work(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** A directory for things that are nobody's state: it is gone when the work is done, however that ends, unless kept. */
export async function withScratchDirectory<T>(
  work: (path: string) => Promise<T>,
  { keep = false }: { keep?: boolean } = {},
): Promise<T> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "ai-runtime-")));
  try {
    return await work(path);
  } finally {
    if (!keep) rmSync(path, { recursive: true, force: true });
  }
}

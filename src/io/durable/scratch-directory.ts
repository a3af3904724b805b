import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Like withScratchDirectory, but the work runs without one if it cannot be created. */
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

/** A directory for temporary files: removed when the work ends or fails, unless it is to be kept. */
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

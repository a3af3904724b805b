// For the hook when it has nothing to do: avoids node:fs, because loading it costs more than everything else.

/** Undefined when there is no such regular file. */
export async function quickFacts(path: string): Promise<{ size: number; modified: number } | undefined> {
  const stats = await unlessMissing(Bun.file(path).stat());
  return stats?.isFile() ? { size: stats.size, modified: stats.mtimeMs } : undefined;
}

export async function isQuickDirectory(path: string): Promise<boolean> {
  return (await unlessMissing(Bun.file(path).stat()))?.isDirectory() ?? false;
}

/** Undefined when there is no such regular file: reading a pipe could block forever. */
export async function quickText(path: string): Promise<string | undefined> {
  return (await quickFacts(path)) && unlessMissing(Bun.file(path).text());
}

/**
 * The same without a thread of the pool, each of which costs about half a millisecond; undefined also for an empty file, because
 * that cannot be told from a missing one. A pipe has no size.
 */
export function quickLook(path: string): { size: number; modified: number } | undefined {
  const file = Bun.file(path);
  const { size } = file;
  return size > 0 && Number.isFinite(size) ? { size, modified: file.lastModified } : undefined;
}

/** The text of a file, or its last bytes; undefined when it is missing or empty. */
export async function quickTail(path: string, bytes = Infinity): Promise<string | undefined> {
  const { size = 0 } = quickLook(path) ?? {};
  if (size === 0) return undefined;
  const file = Bun.file(path);
  return unlessMissing((size > bytes ? file.slice(size - bytes, size) : file).text());
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

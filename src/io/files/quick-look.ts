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

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

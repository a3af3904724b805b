/** Writes as fast as the reader reads, and stops when it cannot: what an error means is the guard's to tell. */
export async function printChunks(stdout: NodeJS.WriteStream, chunks: Iterable<string>): Promise<void> {
  for (const chunk of chunks) {
    if (await write(stdout, chunk)) return;
  }
}

function write(stdout: NodeJS.WriteStream, chunk: string): Promise<Error | null | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
  stdout.write(chunk, resolve);
  return promise;
}

/** Writes at the speed of the reader, and stops at the first error, which guardStreams reports. */
export async function printChunks(stdout: NodeJS.WriteStream, chunks: Iterable<string | Uint8Array>): Promise<void> {
  for (const chunk of chunks) {
    if (await write(stdout, chunk)) return;
  }
}

function write(stdout: NodeJS.WriteStream, chunk: string | Uint8Array): Promise<Error | null | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
  stdout.write(chunk, resolve);
  return promise;
}

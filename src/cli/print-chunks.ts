/** Writes as fast as the reader reads. A reader that has left, like head, is no error. */
export async function printChunks(stdout: NodeJS.WriteStream, chunks: Iterable<string>): Promise<void> {
  // Errors come to the callback below; without a listener they would also end the program.
  stdout.on("error", () => {});
  for (const chunk of chunks) {
    const error = await write(stdout, chunk);
    if (error?.code === "EPIPE") return;
    if (error) throw error;
  }
}

function write(stdout: NodeJS.WriteStream, chunk: string): Promise<NodeJS.ErrnoException | null | undefined> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null | undefined>();
  stdout.write(chunk, resolve);
  return promise;
}

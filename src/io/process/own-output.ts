/** Our stdout, written at the speed of its reader. */
export class OwnOutput {
  #isClosed = false;
  #isGuarded = false;
  /** Why it cannot be written; undefined when its reader has only closed the pipe. */
  failure: string | undefined;

  /** Returns false when nothing can be written any more. */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.#isClosed) return false;
    if (bytes.length === 0) return true;
    this.#guard();
    const written = Promise.withResolvers<NodeJS.ErrnoException | null | undefined>();
    process.stdout.write(bytes, written.resolve);
    const error = await written.promise;
    if (!error) return true;
    this.#isClosed = true;
    if (error.code !== "EPIPE") this.failure = `cannot write to stdout: ${error.message}`;
    return false;
  }

  /** Prevents a stack trace: the callback of the write reports the error. */
  #guard(): void {
    if (this.#isGuarded) return;
    this.#isGuarded = true;
    process.stdout.on("error", () => {});
  }
}

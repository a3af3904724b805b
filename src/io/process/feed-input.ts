interface Sink {
  write(data: string | Uint8Array): unknown;
  flush(): unknown;
  end(): unknown;
}

interface Source {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Passes our stdin to one program after another, each with a prefix of its own. */
export class InputFeed {
  #reader: Source | undefined;
  /** A read that started for the last program: its result belongs to the next one. */
  #pending: Promise<Uint8Array | undefined> | undefined;

  /** Returns when stdin ends or the program has exited. */
  async feed(sink: Sink, first: string, gone: Promise<unknown>): Promise<void> {
    this.#reader ??= Bun.stdin.stream().getReader();
    const left = gone.then(() => "gone" as const);
    try {
      sink.write(first);
      await sink.flush();
      for (;;) {
        this.#pending ??= this.#read();
        const next = await Promise.race([this.#pending, left]);
        if (next === "gone") return;
        this.#pending = undefined;
        if (next === undefined) break;
        sink.write(next);
        await sink.flush();
      }
      await sink.end();
    } catch {
      // The program exited without reading the rest.
    }
  }

  /** Stops reading stdin, so that it does not keep this process alive. */
  async close(): Promise<void> {
    await this.#reader?.cancel().catch(() => {});
  }

  async #read(): Promise<Uint8Array | undefined> {
    return (await this.#reader?.read())?.value;
  }
}

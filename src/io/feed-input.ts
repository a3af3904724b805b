interface Sink {
  write(data: string | Uint8Array): unknown;
  flush(): unknown;
  end(): unknown;
}

interface Source {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Hands our own stdin on to one program after another, each with something to read before it. */
export class InputFeed {
  #reader: Source | undefined;
  /** Asked for while the last program was there: what comes belongs to the next. */
  #pending: Promise<Uint8Array | undefined> | undefined;

  /** Returns when stdin ends or the program has gone. */
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
      // It left without reading on, which is its right.
    }
  }

  /** Nobody reads stdin any more: it must not keep us alive. */
  async close(): Promise<void> {
    await this.#reader?.cancel().catch(() => {});
  }

  async #read(): Promise<Uint8Array | undefined> {
    return (await this.#reader?.read())?.value;
  }
}

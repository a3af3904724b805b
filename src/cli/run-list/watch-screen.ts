const home = "\x1b[H";
const clearRest = "\x1b[J";
const clearLine = "\x1b[K";
const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";
const enter = "\x1b[?1049h";
const leave = "\x1b[?1049l";

/** Durations change without an event. */
const tickMs = 5_000;
const ctrlC = "\x03";

export interface Watched {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  draw(width: number): readonly string[];
  /** Calls the listener at every change until the returned function is called. */
  watch(onChange: () => void): () => void;
}

/** Redraws at every change on the alternate screen until q or Ctrl-C, without flicker, and then restores the old screen. */
export async function watchScreen({ stdin, stdout, draw, watch }: Watched): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let shown: string | undefined;
  const show = (): void => {
    try {
      paint();
    } catch (error) {
      // Rejects, so that the error appears on the normal screen and not on the one that disappears.
      ended.reject(error);
    }
  };
  const paint = (): void => {
    const lines = draw(stdout.columns || 100).slice(0, Math.max(1, (stdout.rows || 24) - 1));
    const screen = `${home}${lines.map((line) => `${line}${clearLine}\r\n`).join("")}${clearRest}`;
    if (screen === shown) return;
    shown = screen;
    stdout.write(screen);
  };
  const repaint = (): void => {
    shown = undefined;
    show();
  };
  const end = (): void => ended.resolve();
  const onKeys = (keys: Buffer): void => {
    if (/q/i.test(keys.toString()) || keys.includes(ctrlC)) end();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  stdin.setRawMode(true);
  stdin.on("data", onKeys);
  stdout.on("resize", repaint);
  stdout.write(`${enter}${hideCursor}`);
  const timer = setInterval(show, tickMs);
  const unwatch = watch(show);
  try {
    show();
    await ended.promise;
  } finally {
    clearInterval(timer);
    unwatch();
    stdout.off("resize", repaint);
    stdin.off("data", onKeys);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(`${showCursor}${leave}`);
  }
}

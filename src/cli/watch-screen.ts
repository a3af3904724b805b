const home = "\x1b[H";
const clearRest = "\x1b[J";
const clearLine = "\x1b[K";
const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";
const enter = "\x1b[?1049h";
const leave = "\x1b[?1049l";

/** Draws the same place anew about once a second, on a screen of its own, until Ctrl-C; nothing flickers and nothing is left. */
export async function watchScreen(
  stdout: NodeJS.WriteStream,
  draw: (width: number) => readonly string[],
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const show = (): void => {
    try {
      paint();
    } catch (error) {
      // Told on the screen that was there before, not on the one that goes.
      ended.reject(error);
    }
  };
  const paint = (): void => {
    const lines = draw(stdout.columns || 100).slice(0, Math.max(1, (stdout.rows || 24) - 1));
    stdout.write(`${home}${lines.map((line) => `${line}${clearLine}\r\n`).join("")}${clearRest}`);
  };
  const end = (): void => ended.resolve();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  stdout.on("resize", show);
  stdout.write(`${enter}${hideCursor}`);
  const timer = setInterval(show, 1_000);
  try {
    show();
    await ended.promise;
  } finally {
    clearInterval(timer);
    stdout.off("resize", show);
    stdout.write(`${showCursor}${leave}`);
  }
}

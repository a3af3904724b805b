import { expect, test } from "bun:test";
import { watchScreen } from "../../src/cli/watch-screen.ts";

test("a list that cannot be read any more is told of on the screen that was there before", async () => {
  const written: string[] = [];
  let resize: (() => void) | undefined;
  const screen = {
    columns: 80,
    rows: 24,
    write: (text: string) => written.push(text),
    on: (_event: string, listener: () => void) => (resize = listener),
    off: () => {},
  } as unknown as NodeJS.WriteStream;
  let draws = 0;
  const watching = watchScreen(screen, () => {
    if (draws++ > 0) throw new Error("it is gone");
    return ["a run"];
  });
  resize?.();
  const failure = await watching.then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(failure).toBe("it is gone");
  expect(written.at(-1)).toEndWith("\x1b[?1049l");
});

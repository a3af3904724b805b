import { expect, test } from "bun:test";
import { watchScreen } from "../../../src/cli/run-list/watch-screen.ts";

test("restores the normal screen before it reports a drawing error", async () => {
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
  const keyboard = { setRawMode: () => {}, on: () => {}, off: () => {}, pause: () => {} };
  const watching = watchScreen({
    stdin: keyboard as unknown as NodeJS.ReadStream,
    stdout: screen,
    watch: () => () => {},
    draw: () => {
      if (draws++ > 0) throw new Error("it is gone");
      return ["a run"];
    },
  });
  resize?.();
  const failure = await watching.then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(failure).toBe("it is gone");
  expect(written.at(-1)).toEndWith("\x1b[?1049l");
});

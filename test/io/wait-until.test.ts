import { expect, test } from "bun:test";
import { join } from "node:path";
import { waitUntil } from "../../src/io/wait-until.ts";

test("stops handling Ctrl-C when the wait is over", async () => {
  const before = process.listenerCount("SIGINT");
  const waiting = waitUntil(Date.now() + 20);
  expect(process.listenerCount("SIGINT")).toBe(before + 1);
  expect(await waiting).toBe("reached");
  expect(process.listenerCount("SIGINT")).toBe(before);
});

// The timeout is longer than a process needs to start on a busy machine, and shorter than the wait that kept it alive.
test("an interrupted wait does not keep its process alive", async () => {
  const module = join(import.meta.dir, "../../src/io/wait-until.ts");
  const program = `import { waitUntil } from ${JSON.stringify(module)};
      const abort = new AbortController();
      const waiting = waitUntil(Date.now() + 3_600_000, { signal: abort.signal });
      abort.abort();
      console.log(await waiting);`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
  expect(await child.stdout.text()).toBe("interrupted\n");
  expect(await child.exited).toBe(0);
});

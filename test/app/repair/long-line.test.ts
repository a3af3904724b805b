import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { executable } from "../../support/executable.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const lineBytes = 60_000_000;
const begin = `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"${id}","message":{"role":"user","content":"`;

// Quadratic work on such a line takes a minute and gigabytes; linear work takes a second of CPU time.
test.each([
  ["a whole record", `${begin}${"x".repeat(lineBytes)}"}}\n`, 0],
  ["a torn record", `${begin}${"x".repeat(lineBytes)}`, 6],
  ["braces and quotes", '{"'.repeat(lineBytes / 2), 6],
  ["NULs between other bytes", "x\0".repeat(lineBytes / 2), 6],
] as const)("verify checks one line of 60 MB in linear time and memory: %s", async (_, text, exitCode) => {
  using world = new HookWorld();
  writeFileSync(world.transcript(id), text);
  const child = Bun.spawn([executable, "session-snapshot", "verify", id], { env: world.env, stdout: "ignore" });
  expect(await child.exited).toBe(exitCode);
  expect(Number(child.resourceUsage()?.cpuTime.total) / 1_000).toBeLessThan(20_000);
  expect(child.resourceUsage()?.maxRSS).toBeLessThan(10 * lineBytes);
});

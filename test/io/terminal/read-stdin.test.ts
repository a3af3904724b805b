import { expect, test } from "bun:test";
import { join } from "node:path";

const module = join(import.meta.dir, "../../../src/io/terminal/read-stdin.ts");

function start(limit: object): Bun.Subprocess<"pipe", "pipe", "inherit"> {
  const program = `import { readStdin } from ${JSON.stringify(module)};
    console.log(JSON.stringify(await readStdin(${JSON.stringify(limit)})));
    process.exit(0);`;
  return Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
}

async function read(limit: object, text: string, end: boolean): Promise<unknown> {
  const child = start(limit);
  await child.stdin.write(text);
  await child.stdin.flush();
  if (end) await child.stdin.end();
  return JSON.parse(await child.stdout.text());
}

test("reads stdin to its end", async () => {
  expect(await read({ bytes: 5, milliseconds: 20_000 }, "héll", true)).toEqual({ kind: "text", text: "héll" });
});

test("stops reading at the size limit", async () => {
  expect(await read({ bytes: 5, milliseconds: 20_000 }, "hélló", false)).toEqual({ kind: "too-long" });
});

test("stops waiting at the time limit", async () => {
  expect(await read({ bytes: 5, milliseconds: 50 }, "hi", false)).toEqual({ kind: "timeout" });
});

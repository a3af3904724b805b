// `bun scripts/picture.ts`: creates docs/demo.svg, the README's moving picture, from the demo's real output.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBuildFresh } from "./build-stamp.ts";
import { renderMovie, type Scene, type TimedLine } from "./picture/movie.ts";

const root = join(import.meta.dir, "..");
if (!isBuildFresh(root)) throw new Error("dist/ai-runtime is outdated; run: bun run build");

/** The demo's lines, and when each was printed. */
async function record(temporary: string): Promise<TimedLine[]> {
  const child = Bun.spawn(["sh", "-c", `"${root}/dist/ai-runtime" demo 2>&1`], {
    env: { HOME: temporary, TMPDIR: temporary, PATH: process.env["PATH"], FORCE_COLOR: "1", LANG: "C.UTF-8" },
    stdin: "ignore",
    stdout: "pipe",
  });
  const lines: TimedLine[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of child.stdout) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) lines.push({ text, seconds: performance.now() / 1000 });
  }
  if ((await child.exited) !== 0) throw new Error(lines.map(({ text }) => text).join("\n"));
  return lines;
}

/** From the first line that contains `from` up to the blank line before the next command or chapter after it. */
function sceneOf(title: string, lines: readonly TimedLine[], from: string, commands: number): Scene {
  const start = lines.findIndex(({ text }) => text.includes(from));
  if (start < 0) throw new Error(`the demo prints no ${from}`);
  const isHead = ({ text }: TimedLine): boolean => /(\$ |── )/.test(text.slice(0, 12));
  const heads = lines.flatMap((line, index) => (index > start && isHead(line) ? [index] : []));
  return { title, lines: lines.slice(start, (heads[commands - 1] ?? lines.length) - 1) };
}

const temporary = mkdtempSync(join(tmpdir(), "demo-"));
try {
  const printed = await record(temporary);
  // The demo's project stands for one in your home directory.
  const place = new RegExp(`${temporary}/ai-runtime-\\w+`, "g");
  const lines = printed.map(({ text, seconds }) => ({ text: text.replaceAll(place, "~"), seconds }));
  const movie = renderMovie(
    [
      sceneOf("A usage limit, then a crash: the task continues", lines, '$ ai-runtime run "', 1),
      sceneOf("Claude deletes files that are in no commit: they come back", lines, '$ cclaude -p "Tidy up"', 3),
    ],
    { columns: 94, title: "ai-runtime: a task continues after a limit and a crash, and deleted files come back" },
  );
  writeFileSync(join(root, "docs/demo.svg"), movie);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
console.error("wrote docs/demo.svg");

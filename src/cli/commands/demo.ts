import { type Demo, type DemoFile, withDemo } from "../../app/demo-world.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { formatBytes } from "../format.ts";
import type { Output } from "../output.ts";
import { renderTable } from "../table.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "shows what all this is for, in under a minute, with a scripted Claude",
  details: `Needs no account and no Claude: a stand-in plays its part. All else is real, in a directory that is gone afterwards.`,
  args: {
    keep: { type: "boolean", description: "leave the directory, to look around in it" },
    fast: { type: "boolean", description: "without pauses" },
  },
  examples: [
    ["ai-runtime demo", "a limit, a crash, an overflow, and how the work goes on"],
    ["ai-runtime demo --keep", "and then look at the files it speaks of"],
  ],
  async run(args, output) {
    const options = { keep: args.keep === true, fast: args.fast === true };
    await withDemo(currentEnvironment(process.env), options, (demo) => tell(demo, options.keep, output));
  },
});

async function tell(demo: Demo, keep: boolean, output: Output): Promise<void> {
  const wrap = (text: string, indent: number): string[] =>
    Bun.wrapAnsi(text, Math.max(20, Math.min(output.width, 100) - indent), { trim: true }).split("\n");
  const say = (text: string): void => output.data(wrap(text, 0).join("\n"));
  const chapter = (title: string): void => output.data(`\n${output.colors.bold(`── ${title}`)}\n`);
  const command = (text: string): void => output.data(`\n${output.colors.bold(`$ ${text}`)}`);

  say(
    `A scripted stand-in plays Claude. The programs, the hooks and the files are real; they lie in ${demo.directory}${keep ? "" : ", which is gone at the end"}.`,
  );

  chapter("1. A usage limit, then a crash");
  say("One task. Claude is stopped by a limit; the run waits for the reset and goes on. Then Claude is killed.");
  command('ai-runtime run "Round the totals of the cart"');
  await demo.show(["run", "Round the totals of the cart"], "totals");
  command("ai-runtime status");
  await demo.show(["status"], "totals");

  chapter("2. A conversation that outgrows its context");
  say(
    "Claude reads file after file until its prompt is too long. Hooks took a snapshot all along; cclaude goes back to the newest one that leaves room, tells Claude what came after it, and resumes.",
  );
  command('cclaude -p "Review every module"');
  await demo.show(["cclaude", "-p", "Review every module"], "review");
  say("\nWhat Claude was told when it was resumed, in its own conversation:\n");
  for (const line of demo.lastContext()) {
    for (const part of wrap(line, 4)) output.data(`  │ ${part}`);
  }
  command("session-snapshot list");
  await demo.show(["session-snapshot", "list"], "review");

  chapter("What is on disk");
  output.data(describeFiles(demo.files(), output.width).join("\n"));
  output.data("");
  say(
    keep
      ? `All of it stays in ${demo.directory}; remove it when you have seen enough.`
      : "All of it is removed now. With your own Claude: ai-runtime install, then cclaude in the place of claude.",
  );
}

/** Where there is no room for a path beside its meaning, it stands below it. */
function describeFiles(files: readonly DemoFile[], width: number): string[] {
  const narrow = width < 100;
  const rows = files.map(({ path, size, what }) => [what, formatBytes(size), narrow ? "" : shorten(path)]);
  const lines = renderTable([{ title: "" }, { title: "", align: "right" }, { title: "" }], rows, width).slice(1);
  return narrow ? lines.flatMap((line, index) => [line, `  ${shorten(files[index]?.path ?? "")}`]) : lines;
}

/** The beginning of an id is as good as the whole. */
const shorten = (path: string): string => path.replaceAll(/([0-9a-f]{8})-[0-9a-f-]{27}/g, "$1…");

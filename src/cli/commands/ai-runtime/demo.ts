import { type Demo, type DemoFile, withDemo } from "../../../app/demo/demo-world.ts";
import type { Environment } from "../../../app/environment.ts";
import { installedRecords } from "../../../app/installed-hooks.ts";
import { formatBytes } from "../../format.ts";
import type { Output } from "../../output.ts";
import { renderTable } from "../../table.ts";
import { defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows the main features in under a minute, with a scripted Claude",
  details: `Needs no account and no Claude: a script plays its part. Everything else is real, in a directory that is removed
afterwards.`,
  args: {
    keep: { type: "boolean", description: "keep the directory" },
    fast: { type: "boolean", description: "skip the pauses" },
  },
  examples: [
    ["ai-runtime demo", "shows a limit, a crash, an overflow and deleted files, and how each is recovered"],
    ["ai-runtime demo --keep", "keeps the files, so that you can look at them"],
  ],
  async run(args, output, { environment }) {
    const options = { keep: args.keep === true, fast: args.fast === true };
    await withDemo(environment, options, (demo) => tell(demo, environment, options.keep, output));
  },
});

async function tell(demo: Demo, environment: Environment, keep: boolean, output: Output): Promise<void> {
  const wrap = (text: string, indent: number): string[] =>
    Bun.wrapAnsi(text, Math.max(20, Math.min(output.width, 100) - indent), { trim: true }).split("\n");
  const say = (text: string): void => output.data(wrap(text, 0).join("\n"));
  const chapter = (title: string): void => output.data(`\n${output.colors.bold(`── ${title}`)}\n`);
  const command = (text: string): void => output.data(`\n${output.colors.bold(`$ ${text}`)}`);

  say(
    `A script plays Claude. The programs, the hooks and the files are real; they are in ${demo.directory}${keep ? "" : ", which is removed at the end"}.`,
  );

  chapter("1. A usage limit, then a crash");
  say("One task. A limit stops Claude; the run waits for the reset and continues. Then Claude is killed.");
  command('ai-runtime run "Round the totals of the cart"');
  await demo.show(["run", "Round the totals of the cart"], "totals");
  command("ai-runtime status");
  await demo.show(["status"], "totals");

  chapter("2. A conversation that outgrows its context");
  say(
    "Claude reads file after file until its prompt is too long. The hooks have taken snapshots; cclaude restores the newest one that leaves room, tells Claude what came after it, and resumes.",
  );
  command('cclaude -p "Review every module"');
  await demo.show(["cclaude", "-p", "Review every module"], "review");
  say("\nThe message that Claude got when it was resumed:\n");
  for (const line of demo.lastContext()) {
    for (const part of wrap(line, 4)) output.data(`  │ ${part}`);
  }
  command("session-snapshot list");
  await demo.show(["session-snapshot", "list"], "review");

  if (demo.hasGit) {
    chapter("3. A careless command");
    say("Claude deletes files that are in no commit. The hooks have saved them.");
    command('cclaude -p "Tidy up"');
    await demo.show(["cclaude", "-p", "Tidy up"], "careless");
    command("session-snapshot diff --stat");
    await demo.show(["session-snapshot", "diff", "--stat"], "careless");
    command("session-snapshot restore --files");
    await demo.show(["session-snapshot", "restore", "--files"], "careless");
  }

  chapter("What is on disk");
  output.data(describeFiles(demo.files(), output.width).join("\n"));
  output.data("");
  say(
    keep
      ? `Everything stays in ${demo.directory}; remove it when you are done.`
      : `Everything is removed now. To use it with your Claude: ${installedRecords(environment).checkpoints ? "" : "run ai-runtime install, then "}start cclaude instead of claude.`,
  );
}

/** On a narrow terminal, each path goes below its description. */
function describeFiles(files: readonly DemoFile[], width: number): string[] {
  const narrow = width < 100;
  const rows = files.map(({ path, size, what }) => [what, formatBytes(size), narrow ? "" : shorten(path)]);
  const lines = renderTable([{ title: "" }, { title: "", align: "right" }, { title: "" }], rows, width).slice(1);
  return narrow ? lines.flatMap((line, index) => [line, `  ${shorten(files[index]?.path ?? "")}`]) : lines;
}

/** The start of an id is enough to recognize it. */
const shorten = (path: string): string => path.replaceAll(/([0-9a-f]{8})-[0-9a-f-]{27}/g, "$1…");

// Install and uninstall: Claude's settings have the old or the new text, and uninstall restores the user's text byte for byte.
import { expect } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

/** Only our install record shows that the empty array and the null were there before. */
const mine =
  '{\n  // mine\n  "model": "opus",\n  "hooks": { "Stop": [], "PreCompact": null },\n  "statusLine": { "type": "command", "command": "my-line" }\n}\n';

const settings = (world: FaultWorld): string => join(world.home, ".claude/settings.json");
const text = (world: FaultWorld): string | undefined =>
  existsSync(settings(world)) ? readFileSync(settings(world), "utf8") : undefined;

/** Shims and skills are complete or absent. */
function expectWholeFiles(world: FaultWorld): void {
  const shims = readdirSync(world.bin).filter((name) => name !== "ai-runtime" && !name.startsWith("."));
  for (const name of shims) {
    expect(readFileSync(join(world.bin, name), "utf8")).toBe(
      readFileSync(join(import.meta.dir, "../../../shims", name), "utf8"),
    );
  }
  const skills = join(world.home, ".claude/skills");
  const written = existsSync(skills) ? readdirSync(skills, { recursive: true, encoding: "utf8" }) : [];
  for (const name of written.filter((each) => each.endsWith("SKILL.md") && !each.includes(".tmp-"))) {
    expect(readFileSync(join(skills, name), "utf8")).toMatch(/<!-- Written by ai-runtime install;.* -->\n$/);
  }
}

async function succeed(world: FaultWorld, words: string): Promise<void> {
  const { exitCode, stderr } = await world.runtime(words.split(" "));
  expect([words, exitCode, stderr]).toEqual([words, 0, stderr]);
}

interface InstallCase {
  readonly title: string;
  readonly original: string | undefined;
  /** Commands that run before the interrupted one. */
  readonly before: readonly string[];
  readonly words: string;
}

function storyOf({ title, original, before, words }: InstallCase): Story {
  let start: string | undefined;
  // Set by the first run, which is not interrupted.
  let end: { readonly text: string | undefined } | undefined;
  let repeats = false;
  const outcome = (world: FaultWorld): "old" | "new" => {
    expectWholeFiles(world);
    const now = text(world);
    if (now === start) return "old";
    end ??= { text: now };
    expect(now).toBe(end.text);
    return "new";
  };
  return {
    title,
    async prepare(world): Promise<Command> {
      if (original !== undefined) writeFileSync(settings(world), original);
      for (const each of before) await succeed(world, each);
      start = text(world);
      end = undefined;
      return { words: words.split(" ") };
    },
    outcome,
    async recover(world) {
      // Alternates, because a user may repeat the command or uninstall right away.
      repeats = !repeats;
      if (repeats) {
        await succeed(world, words);
        expect(outcome(world)).toBe("new");
      }
      await succeed(world, "uninstall");
      expect(text(world)).toBe(original);
      expect(readdirSync(world.bin).filter((name) => !name.startsWith("."))).toEqual(["ai-runtime"]);
      // An empty directory may be the user's own, so uninstall leaves it unless the record shows that we made it.
      const skills = join(world.home, ".claude/skills");
      expect(existsSync(skills) ? readdirSync(skills) : []).toEqual([]);
    },
  };
}

export const installStories: readonly Story[] = [
  { title: "session-snapshot install", original: mine, before: [], words: "session-snapshot install" },
  { title: "install without settings", original: undefined, before: [], words: "install" },
  {
    title: "install over session-snapshot install",
    original: mine,
    before: ["session-snapshot install"],
    words: "install",
  },
  { title: "uninstall", original: mine, before: ["install"], words: "uninstall" },
  { title: "uninstall without earlier settings", original: undefined, before: ["install"], words: "uninstall" },
  {
    title: "session-snapshot uninstall",
    original: mine,
    before: ["session-snapshot install"],
    words: "session-snapshot uninstall",
  },
].map(storyOf);

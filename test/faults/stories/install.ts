// Install and uninstall: Claude's settings are the old text or the new one, and in the end they are, to the byte, the user's.
import { expect } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

/** Only our record can tell that the empty object, and the null, were there before us. */
const mine =
  '{\n  // mine\n  "model": "opus",\n  "hooks": { "Stop": [], "PreCompact": null },\n  "statusLine": { "type": "command", "command": "my-line" }\n}\n';

const settings = (world: FaultWorld): string => join(world.home, ".claude/settings.json");
const text = (world: FaultWorld): string | undefined =>
  existsSync(settings(world)) ? readFileSync(settings(world), "utf8") : undefined;

/** Shims and skills get their names whole, or not at all. */
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

interface Told {
  readonly title: string;
  readonly original: string | undefined;
  /** What was done before, and what is interrupted. */
  readonly before: readonly string[];
  readonly words: string;
}

function tell({ title, original, before, words }: Told): Story {
  let start: string | undefined;
  // The first run, which nothing interrupts, shows it.
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
    async heal(world) {
      // A user may do it again first, or take everything out at once.
      repeats = !repeats;
      if (repeats) {
        await succeed(world, words);
        expect(outcome(world)).toBe("new");
      }
      await succeed(world, "uninstall");
      expect(text(world)).toBe(original);
      expect(readdirSync(world.bin).filter((name) => !name.startsWith("."))).toEqual(["ai-runtime"]);
      // The bare directory may have been the user's: it is left when nothing shows that it was ours.
      const skills = join(world.home, ".claude/skills");
      expect(existsSync(skills) ? readdirSync(skills) : []).toEqual([]);
    },
  };
}

export const installStories: readonly Story[] = [
  { title: "session-snapshot install", original: mine, before: [], words: "session-snapshot install" },
  { title: "install without settings", original: undefined, before: [], words: "install" },
  {
    title: "install in the place of session-snapshot's",
    original: mine,
    before: ["session-snapshot install"],
    words: "install",
  },
  { title: "uninstall", original: mine, before: ["install"], words: "uninstall" },
  { title: "uninstall of all there was", original: undefined, before: ["install"], words: "uninstall" },
  {
    title: "session-snapshot uninstall",
    original: mine,
    before: ["session-snapshot install"],
    words: "session-snapshot uninstall",
  },
].map(tell);

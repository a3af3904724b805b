import aiRuntime from "../../../plugin/skills/ai-runtime/SKILL.md" with { type: "text" };
import checkpoint from "../../../plugin/skills/checkpoint/SKILL.md" with { type: "text" };
import { skillsDirectory } from "../../claude/paths.ts";
import { createFile, makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { removeEmptyDirectories } from "../../io/durable/remove-directory.ts";
import { parentOf, readText } from "../../io/files/read-file.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import type { Environment } from "../environment.ts";

const skills = { checkpoint, "ai-runtime": aiRuntime };

export interface SkillChanges {
  changes: string[];
  warnings: string[];
}

/** Writes the skills where Claude finds them. Never replaces a skill that the user wrote or changed. */
export function placeSkills({ claudeConfig, now }: Environment, dryRun: boolean): SkillChanges {
  const done: SkillChanges = { changes: [], warnings: [] };
  for (const [name, text] of Object.entries(skills)) {
    const path = `${skillsDirectory(claudeConfig)}/${name}/SKILL.md`;
    const wanted = signed(text);
    const present = readText(path);
    if (!dryRun) sweepBeside(path, now());
    if (present === wanted) continue;
    if (present !== undefined && !isUnchanged(present)) {
      done.warnings.push(`${path} differs from what ai-runtime wrote; it was left unchanged`);
      continue;
    }
    if (!dryRun) {
      makeDirectory(parentOf(path), { shared: true });
      if (present === undefined) createFile(path, wanted, { mode: 0o644 });
      else replaceFile(path, wanted, { mode: 0o644 });
    }
    done.changes.push(`${present === undefined ? "write" : "update"} ${path}`);
  }
  return done;
}

export function removeSkills({ claudeConfig, now }: Environment, dryRun: boolean): SkillChanges {
  const done: SkillChanges = { changes: [], warnings: [] };
  const directory = skillsDirectory(claudeConfig);
  for (const name of Object.keys(skills)) {
    const path = `${directory}/${name}/SKILL.md`;
    const present = readText(path);
    if (!dryRun) sweepBeside(path, now());
    if (present === undefined) {
      // An interrupted install or uninstall can leave an empty directory.
      if (!dryRun) removeEmptyDirectories(parentOf(path));
      continue;
    }
    if (!present.includes(signature)) continue;
    if (!isUnchanged(present)) {
      done.warnings.push(`${path} was changed after ai-runtime wrote it; it was left unchanged`);
      continue;
    }
    if (!dryRun) {
      removeFile(path);
      removeEmptyDirectories(parentOf(path));
    }
    done.changes.push(`remove ${path}`);
  }
  if (!dryRun && done.changes.length > 0) removeEmptyDirectories(directory);
  return done;
}

const signature = "<!-- Written by ai-runtime install; ai-runtime uninstall removes it. ";

/** Adds a last line with the hash of the text, so that a changed skill is recognized. */
const signed = (text: string): string => `${text}\n${signature}${hash(text)} -->\n`;

function isUnchanged(text: string): boolean {
  const at = text.lastIndexOf(`\n${signature}`);
  return at >= 0 && signed(text.slice(0, at)) === text;
}

const hash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);

import aiRuntime from "../../plugin/skills/ai-runtime/SKILL.md" with { type: "text" };
import checkpoint from "../../plugin/skills/checkpoint/SKILL.md" with { type: "text" };
import { skillsDirectory } from "../claude/paths.ts";
import { createFile, makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import { removeEmptyDirectories } from "../io/durable-remove-directory.ts";
import { parentOf, readText } from "../io/read-file.ts";
import { sweepBeside } from "../io/sweep-beside.ts";
import type { Environment } from "./environment.ts";

const skills = { checkpoint, "ai-runtime": aiRuntime };

export interface SkillChanges {
  changes: string[];
  warnings: string[];
}

/** Puts the skills where Claude finds them. One that is not ours, or that somebody has changed, stays as it is. */
export function placeSkills({ claudeConfig, now }: Environment, dryRun: boolean): SkillChanges {
  const done: SkillChanges = { changes: [], warnings: [] };
  for (const [name, text] of Object.entries(skills)) {
    const path = `${skillsDirectory(claudeConfig)}/${name}/SKILL.md`;
    const wanted = signed(text);
    const present = readText(path);
    if (!dryRun) sweepBeside(path, now());
    if (present === wanted) continue;
    if (present !== undefined && !isAsWritten(present)) {
      done.warnings.push(`${path} is not as ai-runtime wrote it; left as it is`);
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
      // Of an install or uninstall that was cut short.
      if (!dryRun) removeEmptyDirectories(parentOf(path));
      continue;
    }
    if (!present.includes(signature)) continue;
    if (!isAsWritten(present)) {
      done.warnings.push(`${path} was changed since ai-runtime wrote it; left as it is`);
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

/** The last line tells what we wrote from what somebody made of it. */
const signed = (text: string): string => `${text}\n${signature}${hash(text)} -->\n`;

function isAsWritten(text: string): boolean {
  const at = text.lastIndexOf(`\n${signature}`);
  return at >= 0 && signed(text.slice(0, at)) === text;
}

const hash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);

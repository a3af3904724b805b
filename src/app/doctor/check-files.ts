import { messageOf } from "../../core/message-of.ts";
import { type Git, runGit } from "../../io/git/run-git.ts";
import { findGit } from "../../io/git/find-git.ts";
import { surveyTrees } from "../../store/trees/survey-trees.ts";
import { listTreeDirectories } from "../../store/trees/tree-paths.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { type CheckResult, failed, ok, warning } from "./check-result.ts";

const name = "files";

/** Whether the hook can save files, and whether what it saved is usable. */
export async function checkFiles(environment: Environment): Promise<CheckResult[]> {
  const { paths, variables, cwd } = environment;
  if (!loadSettings(environment).settings["files.enabled"])
    return [ok(name, "only conversations are saved (files.enabled is off)")];
  const executable = findGit(variables["PATH"] ?? "", cwd);
  if (executable === undefined) {
    return [warning(name, "git is not on PATH, so only conversations are saved, not files", null)];
  }
  const version = await versionOf({ executable, directory: "/" });
  if (version instanceof Error) return [failed(name, `${executable} cannot be run: ${messageOf(version)}`, null)];
  const problems = listTreeDirectories(paths).flatMap(problemsOf);
  const { length } = surveyTrees(paths);
  return problems.length > 0
    ? problems
    : [ok(name, `saved with git ${version}; ${length} ${length === 1 ? "project has" : "projects have"} file marks`)];
}

async function versionOf(git: Git): Promise<string | Error> {
  try {
    return (await runGit(git, ["--version"])).toString().replace(/^git version |\s+$/g, "");
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

function problemsOf(directory: string): CheckResult[] {
  const record = readRecord(directory);
  if (record === "damaged") {
    return [warning(name, `${directory}/marks.json cannot be read; the next mark sets it aside and begins anew`, null)];
  }
  const open = record?.restores.find(({ state }) => state === "started");
  if (!record || !open) return [];
  const where = `a restore of files to f${open.to} in ${record.workspace} was interrupted`;
  return [warning(name, where, `session-snapshot undo --files`)];
}

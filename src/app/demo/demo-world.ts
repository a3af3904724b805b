import { basename } from "node:path";
import { shellCommand } from "../../claude/hooks/hook-command.ts";
import { projectsDirectory } from "../../claude/paths.ts";
import type { DemoStory } from "../../core/demo-script.ts";
import { Failure } from "../../core/failure.ts";
import { createFile, makeDirectory } from "../../io/durable/durable.ts";
import { findGit } from "../../io/git/find-git.ts";
import { onSignals } from "../../io/process/on-signals.ts";
import { fileSize, listFiles, readText } from "../../io/files/read-file.ts";
import { runInPlace } from "../../io/process/run-child.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import { withScratchDirectory } from "../../io/durable/scratch-directory.ts";
import { readJournal } from "../../store/runs/journal.ts";
import { demoVariables } from "./demo-claude.ts";
import { settingsTable } from "../../core/settings.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable } from "../own-executable.ts";

export interface DemoFile {
  readonly path: string;
  readonly size: number;
  readonly what: string;
}

/** A temporary home, project and scripted Claude. Everything else in the demo is the real program. */
export interface Demo {
  readonly directory: string;
  /** File marks need git. */
  readonly hasGit: boolean;
  /** Runs one of our programs and shows its output. */
  show(words: readonly string[], story: DemoStory): Promise<void>;
  /** The files that matter to the demo's story. */
  files(): DemoFile[];
  /** The last context message that a resume sent to Claude, from its transcript. */
  lastContext(): string[];
}

export interface DemoOptions {
  /** Plays without pauses. */
  readonly fast: boolean;
  /** Keeps the directory when the demo ends. */
  readonly keep: boolean;
}

export function withDemo(
  environment: Environment,
  options: DemoOptions,
  work: (demo: Demo) => Promise<void>,
): Promise<void> {
  let stopped = false;
  const unlisten = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], () => {
    stopped = true;
  });
  const play = (directory: string): Promise<void> =>
    openDemo(environment, options, directory, () => stopped).then(work);
  return withScratchDirectory(play, { keep: options.keep }).finally(unlisten);
}

async function openDemo(
  environment: Environment,
  { fast }: DemoOptions,
  directory: string,
  isStopped: () => boolean,
): Promise<Demo> {
  const own = ownExecutable();
  const home = `${directory}/home`;
  const project = `${directory}/shop`;
  const claude = `${directory}/claude`;
  for (const path of [home, `${home}/.claude`, project, `${project}/src`]) makeDirectory(path);
  createFile(claude, `#!/bin/sh\nexec ${shellCommand(own, ["demo-claude"])} "$@"\n`, { mode: 0o755 });
  createFile(
    `${project}/src/cart.ts`,
    "export const total = (prices: number[]): number => prices.reduce((a, b) => a + b, 0);\n",
  );
  const { PATH, TERM, NO_COLOR, FORCE_COLOR, LANG, LC_ALL, TZ, TMPDIR } = environment.variables;
  const variables = {
    PATH,
    TERM,
    NO_COLOR,
    FORCE_COLOR,
    LANG,
    LC_ALL,
    TZ,
    TMPDIR,
    HOME: home,
    CCLAUDE_CLAUDE_BIN: claude,
    AI_RUNTIME_RETRY_SECONDS: fast ? "0.1" : "2",
    [demoVariables.directory]: directory,
    [demoVariables.pace]: fast ? "0" : "1",
  };
  const install = await runToEnd([own, "install", "--quiet"], { variables, milliseconds: 30_000 });
  if (install?.exitCode !== 0) throw new Failure("failed", `cannot set up the demo: ${install?.stderr.trim()}`);
  return {
    directory,
    hasGit: findGit(PATH ?? "", project) !== undefined,
    async show(words, story) {
      const command = [own, ...words];
      // Only one story is about files.
      const files = { [settingsTable["files.enabled"].variable]: story === "careless" ? "on" : "off" };
      const child = { ...variables, ...files, [demoVariables.story]: story };
      const { exitCode, stopAsked } = await runInPlace({
        command,
        variables: child,
        directory: project,
        input: "empty",
      });
      if (stopAsked || isStopped()) throw new Failure("stopped", "the demo was stopped; its files were removed");
      if (exitCode !== 0) throw new Failure("failed", `${words.join(" ")} ended with exit code ${exitCode}`);
    },
    files: () => {
      const paths = listFiles(directory);
      return kinds.flatMap(([pattern, what]) =>
        paths.filter((path) => pattern.test(path)).map((path) => describe(directory, path, what)),
      );
    },
    lastContext: () => findContext(`${home}/.claude`),
  };
}

/** In the order of the story. */
const kinds: readonly [pattern: RegExp, what: string][] = [
  [/^shop\/src\/(cart|money)\.ts$|^shop\/REVIEW\.md$/, "Claude's work"],
  [/\/journal\.jsonl$/, "the run's journal"],
  [/^shop\/\.ai-runtime\/.*\/checkpoint\.json$/, "the run's progress"],
  [/\/projects\/[^/]+\/[^/]+\.jsonl$/, "Claude's conversation"],
  [/\/snapshots\/[^/]+\.jsonl$/, "its snapshot"],
  [/\/backups\/[^.].*\.jsonl$/, "the replaced transcript"],
];

function describe(directory: string, path: string, what: string): DemoFile {
  const full = `${directory}/${path}`;
  const records = basename(path) === "journal.jsonl" ? `, ${readJournal(full).entries.length} records` : "";
  return { path, size: fileSize(full) ?? 0, what: what + records };
}

function findContext(claudeConfig: string): string[] {
  const projects = projectsDirectory(claudeConfig);
  const prompts = listFiles(projects)
    .filter((path) => path.endsWith(".jsonl"))
    .flatMap((path) => (readText(`${projects}/${path}`) ?? "").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as { timestamp: string; message?: { content?: unknown } })
    .filter(({ message }) => typeof message?.content === "string" && message.content.startsWith("[AI-RUNTIME"));
  const newest = prompts.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp)).at(-1);
  return String(newest?.message?.content ?? "").split("\n");
}

import { settingsPath } from "../claude/paths.ts";
import { parseJsonDocument } from "../claude/json-document.ts";
import { version } from "../core/version.ts";
import { makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
import { runToEnd } from "../io/run-to-end.ts";
import { withScratchDirectory } from "../io/scratch-directory.ts";
import type { Environment } from "./environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "./own-executable.ts";

export interface Check {
  name: string;
  /** What is wrong; undefined when it holds. */
  problem: string | undefined;
}

const patience = 20_000;
const sessionId = "self-test";

/** Does on this machine, in a scratch directory, what the hooks and a restore would do. Touches nothing of the user's. */
export async function selfTest(environment: Environment): Promise<Check[]> {
  const alone = await checks([
    ["the executable starts", () => executableStarts(environment)],
    ["our directory can be written", () => directoryWorks(environment)],
    ["Claude's settings can be read", () => settingsRead(environment)],
  ]);
  return [...alone, ...(await inScratch((scratch) => roundTrip(environment, scratch)))];
}

async function inScratch(work: (scratch: string) => Promise<Check[]>): Promise<Check[]> {
  try {
    return await withScratchDirectory(work);
  } catch (error) {
    return [{ name: "there is a scratch directory to work in", problem: messageOf(error) }];
  }
}

async function checks(list: [name: string, check: () => Promise<string | undefined>][]): Promise<Check[]> {
  const done: Check[] = [];
  for (const [name, check] of list) {
    const problem = await check().catch(messageOf);
    done.push({ name, problem });
  }
  return done;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function executableStarts({ variables }: Environment): Promise<string | undefined> {
  const ended = await runToEnd([...sessionSnapshotCommand(ownExecutable()), "--version"], {
    variables,
    milliseconds: patience,
  });
  return ended?.stdout === `session-snapshot ${version}\n` ? undefined : `it printed ${JSON.stringify(ended?.stdout)}`;
}

async function directoryWorks({ paths }: Environment): Promise<string | undefined> {
  makeDirectory(paths.root);
  // Another test may run at this moment.
  const probe = `${paths.root}/self-test-${process.pid}`;
  try {
    replaceFile(probe, "written");
    return readText(probe) === "written" ? undefined : `${probe} did not keep what was written`;
  } finally {
    removeFile(probe);
  }
}

async function settingsRead({ claudeConfig }: Environment): Promise<string | undefined> {
  const path = settingsPath(claudeConfig);
  const document = parseJsonDocument((readText(path) ?? "").replace(/^\uFEFF/, ""));
  if (document.kind !== "invalid") return undefined;
  const { line, column, message } = document.problem;
  return `${path}, line ${line}, column ${column}: ${message}`;
}

function roundTrip({ variables }: Environment, scratch: string): Promise<Check[]> {
  const project = `${scratch}/.claude/projects/-self-test`;
  const transcript = `${project}/${sessionId}.jsonl`;
  const text = '{"type":"user","uuid":"1","message":{"content":"hello"}}\n'.repeat(10);
  const run = async (words: string[], stdin?: string): Promise<string | undefined> => {
    const own = { ...variables, HOME: scratch, XDG_CONFIG_HOME: undefined, CLAUDE_CONFIG_DIR: undefined };
    const command = [...sessionSnapshotCommand(ownExecutable()), ...words];
    const ended = await runToEnd(command, { variables: own, milliseconds: patience, ...(stdin ? { stdin } : {}) });
    if (!ended) return `${words[0]} did not end in time`;
    return ended.exitCode === 0 ? undefined : `${words[0]} ended with ${ended.exitCode}: ${ended.stderr.trim()}`;
  };
  const expectText = (wanted: string): string | undefined =>
    readText(transcript) === wanted ? undefined : "the transcript is not, byte for byte, what it should be";
  return checks([
    [
      "the hook takes a snapshot",
      async () => {
        makeDirectory(project);
        replaceFile(transcript, text);
        const payload = { session_id: sessionId, transcript_path: transcript, hook_event_name: "Stop" };
        const failed = await run(["hook"], JSON.stringify(payload));
        const copied = fileSize(`${scratch}/.config/session-snapshot/snapshots/${sessionId}.jsonl`);
        return failed ?? (copied === text.length ? undefined : `${copied ?? "no"} bytes were copied of ${text.length}`);
      },
    ],
    [
      "a lost transcript is restored",
      async () => {
        removeFile(transcript);
        return (await run(["restore", sessionId])) ?? expectText(text);
      },
    ],
    [
      "an overwritten one is restored, and undone",
      async () => {
        replaceFile(transcript, "overwritten\n");
        const failed = (await run(["restore", sessionId])) ?? expectText(text);
        return failed ?? (await run(["undo", sessionId])) ?? expectText("overwritten\n");
      },
    ],
  ]);
}

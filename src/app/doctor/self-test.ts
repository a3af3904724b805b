import { sampleRecord } from "../../claude/demo-records.ts";
import { probeEvent } from "../../claude/hooks/hook-event.ts";
import { formatHookPayload } from "../../claude/hooks/hook-payload.ts";
import { settingsPath } from "../../claude/paths.ts";
import { parseJsonDocument } from "../../claude/settings/json-document.ts";
import { version } from "../../core/version.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { fileSize, readText } from "../../io/files/read-file.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import { withScratchDirectory } from "../../io/durable/scratch-directory.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "../own-executable.ts";
import { messageOf } from "../../core/message-of.ts";

export interface SelfTestStep {
  name: string;
  /** Undefined when the step passed. */
  problem: string | undefined;
}

const hookTimeoutMs = 20_000;
const sessionId = "self-test";

/** Takes and restores a snapshot in a scratch directory. Does not change the user's files. */
export async function selfTest(environment: Environment): Promise<SelfTestStep[]> {
  const basic = await checks([
    ["the executable starts", () => executableStarts(environment)],
    ["our directory is writable", () => directoryWorks(environment)],
    ["Claude's settings are readable", () => settingsRead(environment)],
  ]);
  return [...basic, ...(await inScratch((scratch) => roundTrip(environment, scratch)))];
}

async function inScratch(work: (scratch: string) => Promise<SelfTestStep[]>): Promise<SelfTestStep[]> {
  try {
    return await withScratchDirectory(work);
  } catch (error) {
    return [{ name: "a scratch directory can be created", problem: messageOf(error) }];
  }
}

async function checks(list: [name: string, check: () => Promise<string | undefined>][]): Promise<SelfTestStep[]> {
  const done: SelfTestStep[] = [];
  for (const [name, check] of list) {
    const problem = await check().catch(messageOf);
    done.push({ name, problem });
  }
  return done;
}

async function executableStarts({ variables }: Environment): Promise<string | undefined> {
  const ended = await runToEnd([...sessionSnapshotCommand(ownExecutable()), "--version"], {
    variables,
    milliseconds: hookTimeoutMs,
  });
  return ended?.stdout === `session-snapshot ${version}\n` ? undefined : `it printed ${JSON.stringify(ended?.stdout)}`;
}

async function directoryWorks({ paths }: Environment): Promise<string | undefined> {
  makeDirectory(paths.root);
  // The process id keeps two self-tests apart.
  const probe = `${paths.root}/self-test-${process.pid}`;
  try {
    replaceFile(probe, "written");
    return readText(probe) === "written" ? undefined : `${probe} does not contain what was written`;
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

function roundTrip({ variables }: Environment, scratch: string): Promise<SelfTestStep[]> {
  const project = `${scratch}/.claude/projects/-self-test`;
  const transcript = `${project}/${sessionId}.jsonl`;
  const text = `${sampleRecord}\n`.repeat(10);
  const run = async (words: string[], stdin?: string): Promise<string | undefined> => {
    const own = { ...variables, HOME: scratch, XDG_CONFIG_HOME: undefined, CLAUDE_CONFIG_DIR: undefined };
    const command = [...sessionSnapshotCommand(ownExecutable()), ...words];
    const ended = await runToEnd(command, { variables: own, milliseconds: hookTimeoutMs, ...(stdin ? { stdin } : {}) });
    if (!ended) return `${words[0]} did not end in time`;
    return ended.exitCode === 0
      ? undefined
      : `${words[0]} ended with exit code ${ended.exitCode}: ${ended.stderr.trim()}`;
  };
  const expectText = (wanted: string): string | undefined =>
    readText(transcript) === wanted ? undefined : "the transcript differs from the expected bytes";
  return checks([
    [
      "the hook takes a snapshot",
      async () => {
        makeDirectory(project);
        replaceFile(transcript, text);
        const call = { event: probeEvent, sessionId, transcriptPath: transcript };
        const failed = await run(["hook"], formatHookPayload(call));
        const copied = fileSize(`${scratch}/.config/session-snapshot/snapshots/${sessionId}.jsonl`);
        return failed ?? (copied === text.length ? undefined : `copied ${copied ?? 0} of ${text.length} bytes`);
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
      "an overwritten transcript is restored, and the restore is undone",
      async () => {
        replaceFile(transcript, "overwritten\n");
        const failed = (await run(["restore", sessionId])) ?? expectText(text);
        return failed ?? (await run(["undo", sessionId])) ?? expectText("overwritten\n");
      },
    ],
  ]);
}

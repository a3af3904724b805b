import { fileSize, readText } from "../../../io/files/read-file.ts";
import { RunFiles } from "../../../store/runs/run-files.ts";
import { type RunPaths } from "../../../store/runs/run-paths.ts";
import { hasLiveChild, isHeld, readIfWhole } from "../../../store/runs/run-registry.ts";
import { readJournal } from "../../../store/runs/journal.ts";
import type { FileSources, Source } from "./sources.ts";
import type { Subject, SubjectContent } from "./subject.ts";

/** The names of a run's items and documents in the hub. */
export const runNames = { record: "record", checkpoint: "checkpoint", journal: "journal", log: "log" } as const;

export const runSubjectId = (id: string): string => `run-${id}`;

/** Undefined when there is no such run, when its record cannot be read, or when it is a session of cclaude. */
export function runSubject(paths: RunPaths, sources: FileSources, id: string): Subject | undefined {
  const run = readIfWhole(paths, id);
  if (!run || run.plan.cclaude) return undefined;
  const { task, cwd, sessionId } = run.plan;
  return {
    id: runSubjectId(id),
    kind: "run",
    label: { id, task, cwd, sessionId, phase: run.status.phase },
    tags: [`session:${sessionId}`],
    isLive: isHeld(run) || hasLiveChild(run),
    gather: () => Promise.resolve(gather(paths, sources, id, new RunFiles(run.plan.directory))),
  };
}

function gather(paths: RunPaths, sources: FileSources, id: string, files: RunFiles): SubjectContent | undefined {
  const record = readText(paths.activeRun(id)) ?? readText(paths.endedRun(id));
  if (record === undefined) return undefined;
  const checkpoint = readText(files.checkpoint);
  const items: Source[] = [];
  if (fileSize(files.journal) !== undefined) {
    items.push(sources.file(runNames.journal, files.journal, readJournal(files.journal).size));
  }
  const logSize = fileSize(files.log);
  if (logSize !== undefined) items.push(sources.file(runNames.log, files.log, logSize));
  return {
    sources: items,
    documents: {
      [runNames.record]: record,
      ...(checkpoint === undefined ? {} : { [runNames.checkpoint]: checkpoint }),
    },
  };
}

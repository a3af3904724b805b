import { type Dropped, fileMarksOfProject, readMaintenance } from "../../store/snapshots/maintenance-record.ts";
import type { Environment } from "../environment.ts";

const reportedForMs = 30 * 86_400_000;
const hint = "change the cap with maxDisk in config.json";

/** What maintenance dropped or failed to do, as sentences for `status`. */
export function maintenanceProblems({ paths, now }: Environment): string[] {
  const { dropped, over, problems } = readMaintenance(paths);
  const recent = dropped.filter(({ time }) => now() - time < reportedForMs);
  const only = recent.filter(({ onlyCopy }) => onlyCopy);
  const rest = recent.filter(({ onlyCopy }) => !onlyCopy);
  return [
    ...(rest.length > 0 ? [`the disk cap was reached: dropped ${describe(rest)}; ${hint}`] : []),
    ...only.map((each) => `the disk cap was reached: dropped ${describe([each])}, the only copy; ${hint}`),
    ...(over > 0
      ? [`snapshots use ${megabytes(over)} more than the disk cap because the rest is in use; ${hint}`]
      : []),
    ...problems,
  ];
}

function describe(dropped: readonly Dropped[]): string {
  const trees = dropped.filter(({ sessionId }) => sessionId === fileMarksOfProject);
  const sessions = dropped.filter((each) => each.generation === null && !trees.includes(each));
  const generations = dropped.length - sessions.length - trees.length;
  const parts = [
    ...(generations > 0 ? [`${generations} past generation${generations > 1 ? "s" : ""}`] : []),
    ...(sessions.length === 1 ? [`the snapshot of session ${sessions[0]?.sessionId} (${sessions[0]?.project})`] : []),
    ...trees.map(({ project, generation }) =>
      generation === null ? `the file marks of ${project}` : `the file marks of ${project} up to f${generation}`,
    ),
    ...(sessions.length > 1 ? [`the snapshots of ${sessions.length} sessions`] : []),
  ];
  const bytes = dropped.reduce((sum, each) => sum + each.bytes, 0);
  const last = Math.max(...dropped.map(({ time }) => time));
  return `${parts.join(" and ")}, ${megabytes(bytes)}, oldest first, last at ${new Date(last).toISOString()}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

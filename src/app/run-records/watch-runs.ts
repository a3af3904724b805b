import { watchDirectories } from "../../io/files/watch-directories.ts";
import { hostsDirectory } from "../../store/hosts/host-records.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";

/** Calls the listener when the record of a run or of a host changes, until the returned function is called. */
export const watchRuns = (paths: RunPaths, onChange: () => void): (() => void) =>
  watchDirectories([paths.active, paths.ended, hostsDirectory(paths.root)], onChange);

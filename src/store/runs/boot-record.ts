import { type BootRecord, parseBootRecord } from "../../core/run/boot-recovery.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { readOwnText } from "../../io/files/read-own-file.ts";
import type { RunPaths } from "./run-paths.ts";

/** Undefined before the first recovery. A damaged record counts as none: the records of the runs prevent a second start. */
export const readBoot = (paths: RunPaths): BootRecord | undefined => parseBootRecord(readOwnText(paths.boot) ?? "");

export function writeBoot(paths: RunPaths, record: BootRecord): void {
  makeDirectory(paths.root);
  replaceFile(paths.boot, `${JSON.stringify(record)}\n`);
}

export const forgetBoot = (paths: RunPaths): boolean => removeFile(paths.boot);

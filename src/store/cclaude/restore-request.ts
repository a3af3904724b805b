import { type Check, has, isText, isTime } from "../../core/check-record.ts";
import { removeFile, replaceFile } from "../../io/durable/durable.ts";
import { fileSize, readText } from "../../io/files/read-file.ts";

/** A host's request to the cclaude in it: restore this conversation when its claude has ended. */
export interface RestoreRequest {
  sessionId: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** Claude ends long before; an older request is not the reason for its end. */
export const restoreRequestLifetimeMs = 120_000;

const pathIn = (directory: string): string => `${directory}/restore-request.json`;

/** Fails without the directory: then no cclaude would read the request. */
export function writeRestoreRequest(directory: string, request: RestoreRequest): void {
  replaceFile(pathIn(directory), JSON.stringify(request));
}

/** The cclaude has not taken it yet. */
export const isRestoreRequested = (directory: string): boolean => fileSize(pathIn(directory)) !== undefined;

export function withdrawRestoreRequest(directory: string): void {
  removeFile(pathIn(directory));
}

/** Reads the request and removes it, so that it holds for one end of claude only. */
export function takeRestoreRequest(directory: string): RestoreRequest | undefined {
  const text = readText(pathIn(directory));
  if (text === undefined) return undefined;
  withdrawRestoreRequest(directory);
  try {
    const value: unknown = JSON.parse(text);
    return isRestoreRequest(value) ? (value as RestoreRequest) : undefined;
  } catch {
    return undefined;
  }
}

const isRestoreRequest = has({ sessionId: isText, time: isTime } satisfies Record<keyof RestoreRequest, Check>);

import type { Check } from "../core/check-record.ts";
import { readText } from "../io/files/read-file.ts";

/** A record that costs little when it is lost: undefined when it is missing, unreadable or not valid. */
export function readOptionalRecord<T>(path: string, isValid: Check): T | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "null");
    return isValid(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

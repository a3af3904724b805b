import { parseServiceRecord, type ServiceRecord } from "../../core/service/service-record.ts";
import { listDirectory } from "../../io/files/read-file.ts";
import { readOwnText } from "../../io/files/read-own-file.ts";

/** Every installed service, by name. Skips records that are not ours or cannot be read. */
export function listServiceRecords(directory: string): ServiceRecord[] {
  return listDirectory(directory)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => readServiceRecord(directory, name.slice(0, -".json".length)) ?? []);
}

export function readServiceRecord(directory: string, slug: string): ServiceRecord | undefined {
  const record = parseServiceRecord(readOwnText(`${directory}/${slug}.json`) ?? "");
  return record?.slug === slug ? record : undefined;
}

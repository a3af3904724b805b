import { parseServiceRecord, type ServiceRecord } from "../core/service-record.ts";
import { listDirectory } from "../io/read-file.ts";
import { readOwnText } from "../io/read-own-file.ts";

/** Every service that is installed, by name. A record that is not ours, or that cannot be read, is none. */
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

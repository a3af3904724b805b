import { type HubConfig, isHubConfig } from "../../core/hub/hub-config.ts";
import { isReplicationState, newReplicationState, type ReplicationState } from "../../core/hub/replication-state.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** `damaged`: the file exists but is not a configuration. */
export function readHubConfig({ hubConfig }: SnapshotPaths): HubConfig | "damaged" | undefined {
  const text = readText(hubConfig);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isHubConfig(value) ? value : "damaged";
  } catch {
    return "damaged";
  }
}

export function writeHubConfig({ root, hubConfig }: SnapshotPaths, config: HubConfig): void {
  makeDirectory(root);
  replaceFile(hubConfig, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}

/** Returns whether there was one. */
export const removeHubConfig = ({ hubConfig }: SnapshotPaths): boolean => removeFile(hubConfig);

/** A state that is missing, damaged or of another hub is a new one: everything is compared with the hub again. */
export function readReplicationState({ hubState }: SnapshotPaths, hub: string): ReplicationState {
  try {
    const value: unknown = JSON.parse(readText(hubState) ?? "null");
    return isReplicationState(value) && value.hub === hub ? value : newReplicationState(hub);
  } catch {
    return newReplicationState(hub);
  }
}

export function writeReplicationState({ hubState }: SnapshotPaths, state: ReplicationState): void {
  replaceFile(hubState, `${JSON.stringify(state)}\n`);
}

import { makeDirectory } from "../durable/durable.ts";
import { isDirectory } from "../files/read-file.ts";

/** Short against the start of claude. */
const checkIntervalMs = 1;

/** Where cclaude, started early by its host, waits before it starts claude: in the directory of its events. */
export const startGate = (events: string): string => `${events}/start`;

/** Called by the host when its first client is attached. */
export const openStartGate = (gate: string): void => makeDirectory(gate);

/** A host that ends before closes the terminal of the waiting process, which ends it. */
export async function passStartGate(gate: string): Promise<void> {
  while (!isDirectory(gate)) await Bun.sleep(checkIntervalMs);
}

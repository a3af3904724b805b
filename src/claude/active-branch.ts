import type { ConversationEntry } from "./conversation-entry.ts";

export interface Branch {
  /** In the order of the file. */
  entries: ConversationEntry[];
  /** The lines do not hang together: then all of them are here. */
  broken: boolean;
  /** Entries with something to read on branches that the conversation has left. */
  leftOut: number;
}

/**
 * A transcript is a tree: going back to an earlier prompt starts another branch. The last line is the leaf of the
 * branch that is in use. Where the way from it to the rest is lost, nothing is hidden.
 */
export function activeBranch(lines: readonly ConversationEntry[]): Branch {
  // A file that was appended to itself has every line twice.
  const byId = new Map(lines.map((entry) => [entry.uuid, entry]));
  const entries = [...byId.values()];
  const all = { entries, broken: true, leftOut: 0 };
  const chosen = wayUp(entries.at(-1), byId);
  if (!chosen) return all;
  addParallelSteps(entries, chosen);
  const others = entries.filter((entry) => !chosen.has(entry.uuid));
  if (!hangTogether(others, byId, chosen)) return all;
  const leftOut = others.filter((entry) => entry.parts.length > 0).length;
  return { entries: entries.filter((entry) => chosen.has(entry.uuid)), broken: false, leftOut };
}

/** Undefined when it ends at a line that is not there, or goes in a circle. */
function wayUp(leaf: ConversationEntry | undefined, byId: Map<string, ConversationEntry>): Set<string> | undefined {
  const chosen = new Set<string>();
  let entry = leaf;
  while (entry) {
    if (chosen.has(entry.uuid)) return undefined;
    chosen.add(entry.uuid);
    if (entry.parent === undefined) return chosen;
    entry = byId.get(entry.parent);
  }
  return leaf ? undefined : chosen;
}

/**
 * Tool calls made at once are lines of one message, each with its result as a child; the conversation goes on from
 * one of them, and the others look like branches. They are not.
 */
function addParallelSteps(entries: readonly ConversationEntry[], chosen: Set<string>): void {
  const messages = new Set(
    entries.flatMap((entry) => (chosen.has(entry.uuid) && entry.messageId ? entry.messageId : [])),
  );
  for (const { uuid, messageId } of entries) if (messageId && messages.has(messageId)) chosen.add(uuid);
  const calls = new Set(
    entries
      .filter(({ uuid }) => chosen.has(uuid))
      .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? part.id : []))),
  );
  for (const { uuid, parts } of entries) {
    if (parts.some((part) => part.kind === "result" && calls.has(part.id))) chosen.add(uuid);
  }
}

/** Whether each of the others with something to read has left the chosen branch somewhere. */
function hangTogether(
  others: readonly ConversationEntry[],
  byId: ReadonlyMap<string, ConversationEntry>,
  chosen: ReadonlySet<string>,
): boolean {
  const connected = new Set(chosen);
  return others.every((other) => {
    const way = new Set<string>();
    let entry: ConversationEntry | undefined = other;
    while (entry && !connected.has(entry.uuid) && !way.has(entry.uuid)) {
      way.add(entry.uuid);
      entry = entry.parent === undefined ? undefined : byId.get(entry.parent);
    }
    if (!entry || way.has(entry.uuid)) return other.parts.length === 0;
    for (const uuid of way) connected.add(uuid);
    return true;
  });
}

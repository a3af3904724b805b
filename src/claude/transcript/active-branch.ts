import type { ConversationEntry } from "./conversation-entry.ts";

export interface Branch {
  /** In the order of the file. */
  entries: ConversationEntry[];
  /** The lines do not form one tree. `entries` then has all of them. */
  broken: boolean;
  /** Number of entries with content on abandoned branches. */
  leftOut: number;
}

/**
 * A transcript is a tree: going back to an earlier prompt starts another branch. The last line is the leaf of the branch in
 * use. When its chain of parents is broken, all entries are returned, so that nothing is hidden.
 */
export function activeBranch(lines: readonly ConversationEntry[]): Branch {
  // A file that was appended to itself contains every line twice.
  const byId = new Map(lines.map((entry) => [entry.uuid, entry]));
  const entries = [...byId.values()];
  const all = { entries, broken: true, leftOut: 0 };
  const chosen = chainOf(entries.at(-1), byId);
  if (!chosen) return all;
  addParallelSteps(entries, chosen);
  const others = entries.filter((entry) => !chosen.has(entry.uuid));
  if (!areConnected(others, byId, chosen)) return all;
  const leftOut = others.filter((entry) => entry.parts.length > 0).length;
  return { entries: entries.filter((entry) => chosen.has(entry.uuid)), broken: false, leftOut };
}

/** The ids from the leaf up to the root; undefined when a parent is missing or the chain has a cycle. */
function chainOf(leaf: ConversationEntry | undefined, byId: Map<string, ConversationEntry>): Set<string> | undefined {
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
 * Parallel tool calls are lines of one message, each with its result as a child. The conversation continues from one of them;
 * the others look like abandoned branches but belong to it.
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

/** Whether every other entry with content branches off the chosen branch. */
function areConnected(
  others: readonly ConversationEntry[],
  byId: ReadonlyMap<string, ConversationEntry>,
  chosen: ReadonlySet<string>,
): boolean {
  const connected = new Set(chosen);
  return others.every((other) => {
    const chain = new Set<string>();
    let entry: ConversationEntry | undefined = other;
    while (entry && !connected.has(entry.uuid) && !chain.has(entry.uuid)) {
      chain.add(entry.uuid);
      entry = entry.parent === undefined ? undefined : byId.get(entry.parent);
    }
    if (!entry || chain.has(entry.uuid)) return other.parts.length === 0;
    for (const uuid of chain) connected.add(uuid);
    return true;
  });
}

import type { Item } from "./manifest.ts";

/** A file of this machine. */
export interface LocalItem {
  readonly name: string;
  readonly size: number;
  /** The hash chain of its first bytes; undefined when it is shorter. */
  hashAt(size: number): string | undefined;
}

export interface Sending<Local extends LocalItem> {
  readonly local: Local;
  readonly stream: string;
  /** The bytes before this are in the hub. */
  readonly from: number;
  /** The last link of the chain there. */
  readonly link: string;
}

export interface SendingPlan<Local extends LocalItem> {
  readonly sendings: readonly Sending<Local>[];
  /** What the hub has and this machine has not, or no longer: it stays in the hub. */
  readonly kept: readonly Item[];
}

/**
 * Finds the stream of every local file by its content, not by a record: so a lost record costs a comparison and no byte. A file
 * continues the stream of its name, else the longest other one, when it starts with all of it. Anything else is new.
 */
export function planSending<Local extends LocalItem>(
  remote: readonly Item[],
  local: readonly Local[],
  newStream: () => string,
): SendingPlan<Local> {
  const used = new Set<string>();
  const claim = (item: Item | undefined): Item | undefined => {
    if (item) used.add(item.stream);
    return item;
  };
  const continues = (each: Local, item: Item): boolean =>
    !used.has(item.stream) && item.size <= each.size && each.hashAt(item.size) === item.hash;
  const byName = new Map(
    local.map(
      (each) => [each, claim(remote.find((item) => item.name === each.name && continues(each, item)))] as const,
    ),
  );
  const longestOther = (each: Local): Item | undefined =>
    remote
      .filter((item) => item.size > 0 && item.size <= each.size)
      .sort((one, other) => one.size - other.size)
      .findLast((item) => continues(each, item));
  const sendings = local.map((each): Sending<Local> => {
    const found = byName.get(each) ?? claim(longestOther(each));
    return found
      ? { local: each, stream: found.stream, from: found.size, link: found.link }
      : { local: each, stream: newStream(), from: 0, link: "" };
  });
  const names = new Set(local.map(({ name }) => name));
  const kept = remote
    .filter(({ stream }) => !used.has(stream))
    .map((item) => (names.has(item.name) ? { ...item, name: `${item.name}~${item.stream}` } : item));
  return { sendings, kept };
}

/** Cuts a range into chunks; every byte is in exactly one. */
export function cutChunks(from: number, to: number, chunkBytes: number): { start: number; end: number }[] {
  const chunks: { start: number; end: number }[] = [];
  for (let start = from; start < to; start += chunkBytes) chunks.push({ start, end: Math.min(to, start + chunkBytes) });
  return chunks;
}

import type { TranscriptPiece } from "./transcript-piece.ts";

interface Link {
  piece: TranscriptPiece;
  uuid: string;
  parent: string | null | undefined;
  isSidechain: boolean;
}

/** New parents for records whose parent is missing or whose chain has a cycle. */
export function findNewParents(pieces: readonly TranscriptPiece[]): Map<TranscriptPiece, string | null> {
  const links = pieces.flatMap((piece): Link[] => {
    const { uuid, parent, isSidechain } = piece.record ?? {};
    return uuid === undefined ? [] : [{ piece, uuid, parent, isSidechain: isSidechain === true }];
  });
  const byId = new Map<string, Link>();
  for (const link of links) if (!byId.has(link.uuid)) byId.set(link.uuid, link);
  const changed = new Map<TranscriptPiece, string | null>();
  const change = (link: Link, parent: string | null): void => {
    if (parent === link.parent) return;
    link.parent = parent;
    changed.set(link.piece, parent);
  };
  const root = rootOf(links, byId);
  // Children of the same lost record get the same new parent.
  const bridges = new Map<string, string | null>();
  const before: Record<"main" | "side", Link | undefined> = { main: undefined, side: undefined };
  for (const [number, link] of links.entries()) {
    const duplicate = byId.get(link.uuid);
    if (duplicate && duplicate !== link && link.parent === duplicate.piece.record?.parent) {
      // Claude treats duplicates as one record, so both get the same parent.
      if (link.parent !== duplicate.parent) change(link, duplicate.parent ?? null);
      continue;
    }
    const side = link.isSidechain ? "side" : "main";
    const last = before[side]?.uuid;
    const previous = last === undefined || last === link.uuid ? null : last;
    if (typeof link.parent === "string" && !byId.has(link.parent)) {
      const bridge = bridges.get(link.parent) ?? previous;
      bridges.set(link.parent, bridge);
      change(link, bridge);
    } else if (typeof link.parent !== "string" && number > 0 && link !== root && !isRootByDesign(link)) {
      change(link, previous);
    }
    before[side] = link;
  }
  breakCycles(links, byId, changed, change);
  return changed;
}

/** The root of the conversation: the first record without a parent, if the first record's chain leads to it. */
function rootOf(links: readonly Link[], byId: ReadonlyMap<string, Link>): Link | undefined {
  const [first] = links;
  const root = links.find(
    (link) => link.parent === null && !link.isSidechain && link.piece.record?.isBoundary !== true,
  );
  return first && root && chainOf(first, byId).has(root) ? root : undefined;
}

function isRootByDesign({ piece, parent, isSidechain }: Link): boolean {
  if (isSidechain || piece.record?.isBoundary === true) return true;
  return piece.record?.isPrompt === true && parent === null;
}

function breakCycles(
  links: readonly Link[],
  byId: ReadonlyMap<string, Link>,
  changed: ReadonlyMap<TranscriptPiece, unknown>,
  change: (link: Link, parent: string | null) => void,
): void {
  const safe = new Set<Link>();
  for (const link of links) {
    const chain = chainOf(link, byId, safe);
    const cycle = cycleAtEnd([...chain], byId);
    // A link that we changed is broken before an original one.
    const weakest = cycle.find(({ piece }) => changed.has(piece)) ?? cycle[0];
    if (weakest) {
      // The nearest record before it that is not its descendant.
      const before = links.slice(0, links.indexOf(weakest));
      const anchor = before.findLast((each) => !chainOf(each, byId).has(weakest));
      change(weakest, anchor?.uuid ?? null);
    }
    for (const each of chain) safe.add(each);
  }
}

/** The cycle at the end of a chain; empty when there is none. */
function cycleAtEnd(chain: readonly Link[], byId: ReadonlyMap<string, Link>): readonly Link[] {
  const parent = chain.at(-1)?.parent;
  const entered = typeof parent === "string" ? byId.get(parent) : undefined;
  const at = entered ? chain.indexOf(entered) : -1;
  return at < 0 ? [] : chain.slice(at);
}

/** Follows the parents until there is none, or one that is already in the chain or known to be safe. */
function chainOf(start: Link, byId: ReadonlyMap<string, Link>, safe?: ReadonlySet<Link>): Set<Link> {
  const chain = new Set<Link>();
  let link: Link | undefined = start;
  while (link && !chain.has(link) && !safe?.has(link)) {
    chain.add(link);
    link = typeof link.parent === "string" ? byId.get(link.parent) : undefined;
  }
  return chain;
}

import type { Piece } from "./transcript-piece.ts";

interface Link {
  piece: Piece;
  uuid: string;
  parent: string | null | undefined;
  isSidechain: boolean;
}

/** For each record that hangs on nothing, or in a circle: the uuid that it shall hang on. */
export function findNewParents(pieces: readonly Piece[]): Map<Piece, string | null> {
  const links = pieces.flatMap((piece): Link[] => {
    const { uuid, parent, isSidechain } = piece.record ?? {};
    return uuid === undefined ? [] : [{ piece, uuid, parent, isSidechain: isSidechain === true }];
  });
  const byId = new Map<string, Link>();
  for (const link of links) if (!byId.has(link.uuid)) byId.set(link.uuid, link);
  const changed = new Map<Piece, string | null>();
  const change = (link: Link, parent: string | null): void => {
    if (parent === link.parent) return;
    link.parent = parent;
    changed.set(link.piece, parent);
  };
  const root = rootOf(links, byId);
  // All that hung on one lost record hang on one again.
  const bridges = new Map<string, string | null>();
  const before: Record<"main" | "side", Link | undefined> = { main: undefined, side: undefined };
  for (const [number, link] of links.entries()) {
    const twin = byId.get(link.uuid);
    if (twin && twin !== link && link.parent === twin.piece.record?.parent) {
      // Claude counts the two as one; so they hang on the same.
      if (link.parent !== twin.parent) change(link, twin.parent ?? null);
      continue;
    }
    const side = link.isSidechain ? "side" : "main";
    const last = before[side]?.uuid;
    const previous = last === undefined || last === link.uuid ? null : last;
    if (typeof link.parent === "string" && !byId.has(link.parent)) {
      const bridge = bridges.get(link.parent) ?? previous;
      bridges.set(link.parent, bridge);
      change(link, bridge);
    } else if (typeof link.parent !== "string" && number > 0 && link !== root && !beginsByDesign(link)) {
      change(link, previous);
    }
    before[side] = link;
  }
  breakCircles(links, byId, changed, change);
  return changed;
}

/** The record with which the conversation begins: the first one that has no parent, if all before it leads there. */
function rootOf(links: readonly Link[], byId: ReadonlyMap<string, Link>): Link | undefined {
  const [first] = links;
  const root = links.find(
    (link) => link.parent === null && !link.isSidechain && link.piece.record?.isBoundary !== true,
  );
  return first && root && wayUp(first, byId).has(root) ? root : undefined;
}

function beginsByDesign({ piece, parent, isSidechain }: Link): boolean {
  if (isSidechain || piece.record?.isBoundary === true) return true;
  return piece.record?.isPrompt === true && parent === null;
}

function breakCircles(
  links: readonly Link[],
  byId: ReadonlyMap<string, Link>,
  changed: ReadonlyMap<Piece, unknown>,
  change: (link: Link, parent: string | null) => void,
): void {
  const safe = new Set<Link>();
  for (const link of links) {
    const way = wayUp(link, byId, safe);
    const circle = circleAtEnd([...way], byId);
    // A link that is ours is let go before one that was found.
    const weakest = circle.find(({ piece }) => changed.has(piece)) ?? circle[0];
    if (weakest) {
      // Of the records before it, the nearest that does not hang on it itself.
      const before = links.slice(0, links.indexOf(weakest));
      const anchor = before.findLast((each) => !wayUp(each, byId).has(weakest));
      change(weakest, anchor?.uuid ?? null);
    }
    for (const each of way) safe.add(each);
  }
}

/** Those that a way goes round in at its end; none when it does not. */
function circleAtEnd(way: readonly Link[], byId: ReadonlyMap<string, Link>): readonly Link[] {
  const parent = way.at(-1)?.parent;
  const entered = typeof parent === "string" ? byId.get(parent) : undefined;
  const at = entered ? way.indexOf(entered) : -1;
  return at < 0 ? [] : way.slice(at);
}

/** Until there is no parent, or one that was met before or is known to be safe. */
function wayUp(start: Link, byId: ReadonlyMap<string, Link>, safe?: ReadonlySet<Link>): Set<Link> {
  const way = new Set<Link>();
  let link: Link | undefined = start;
  while (link && !way.has(link) && !safe?.has(link)) {
    way.add(link);
    link = typeof link.parent === "string" ? byId.get(link.parent) : undefined;
  }
  return way;
}

import { Failure } from "../../../core/failure.ts";
import { chunkBinding, type Item } from "../../../core/hub/manifest.ts";
import { readChunks } from "../../../hub/subjects.ts";
import { chainLink } from "../../../io/seal/seal.ts";
import { HashChain } from "../../../store/packing/hash-chain.ts";
import type { Hub } from "../open-hub.ts";

/** Read in one query; about as many megabytes in memory. */
const chunksAtOnce = 8;

/** Visits the plain bytes of an item in order. Every chunk is verified before it is visited, the whole at the end. */
export async function readItem(
  { connection, sealer }: Hub,
  subject: string,
  item: Item,
  visit: (bytes: Uint8Array) => void,
): Promise<void> {
  const hash = HashChain.empty();
  let at = 0;
  let link = "";
  while (at < item.size) {
    const chunks = await readChunks(connection, subject, item.stream, { from: at, limit: chunksAtOnce });
    if (chunks.length === 0) throw refused(subject, item, `it ends at byte ${at}, not at ${item.size}`);
    for (const chunk of chunks) {
      if (at >= item.size) break;
      if (chunk.start !== at) throw refused(subject, item, `the chunk at byte ${at} is missing`);
      const bound = chunkBinding(subject, item.stream, at, link);
      link = chainLink(link, bound, chunk.content);
      if (link !== chunk.link)
        throw refused(subject, item, `the chunk at byte ${at} does not follow the one before it`);
      const plain = sealer.open(chunk.content, bound);
      if (!plain) throw refused(subject, item, `the chunk at byte ${at} was changed, or belongs elsewhere`);
      hash.feed(plain);
      visit(plain);
      at += plain.length;
    }
  }
  if (at !== item.size || link !== item.link || hash.digest() !== item.hash) {
    throw refused(subject, item, "its end is not the one that was written");
  }
}

/** The same in memory, for small items. */
export async function readWholeItem(hub: Hub, subject: string, item: Item): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  await readItem(hub, subject, item, (bytes) => void parts.push(bytes));
  return Buffer.concat(parts);
}

const refused = (subject: string, item: Item, why: string): Failure =>
  new Failure("corrupt", `the hub's copy of ${item.name} of ${subject} is refused: ${why}`, {
    hint: "It was changed in the database. Nothing was written here; the machine that has the session can send it again.",
  });

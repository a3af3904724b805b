import { decideLease, decideWrite, leaseSeconds } from "../../../core/hub/lease.ts";
import { chunkBinding, type Item, type Manifest, manifestBinding } from "../../../core/hub/manifest.ts";
import { cutChunks, planSending, type Sending } from "../../../core/hub/plan-sending.ts";
import { type Chunk, commit, type Head, readHead, takeLease } from "../../../hub/subjects.ts";
import { chainLink } from "../../../io/seal/seal.ts";
import { sealLabel } from "../labels.ts";
import type { Hub } from "../open-hub.ts";
import type { Source } from "./sources.ts";
import { openManifest, type Subject, type SubjectContent } from "./subject.ts";

/** Small enough to repeat after a cut connection, large enough to compress well. */
const chunkBytes = 1024 * 1024;
/** What one transaction holds at most, unless it must be whole. */
const batchBytes = 8 * 1024 * 1024;

const maxTries = 3;

export type Replicated =
  | { readonly state: "current" }
  | { readonly state: "sent"; readonly bytes: number; readonly id: string; readonly seq: number }
  /** It cannot be read at this moment; the next pass tries again. */
  | { readonly state: "later" }
  /** Another machine has continued it: what is new here stays here. */
  | { readonly state: "diverged"; readonly holder: string };

/**
 * Brings the hub up to date with one subject. The hub itself says where to continue, so a kill at any moment, a lost answer or
 * lost local records cost at most a comparison.
 */
export async function replicate(hub: Hub, subject: Subject): Promise<Replicated> {
  for (let tries = 0; tries < maxTries; tries++) {
    const head = await readHead(hub.connection, subject.id);
    const remote = openManifest(hub.sealer, head);
    const content = await subject.gather(remote);
    if (!content) return { state: "later" };
    const result = await bringUpToDate(hub, subject, { head, remote, content });
    // Another process of this machine, or another machine, was faster: look again.
    if (result !== "fenced") return result;
  }
  return { state: "later" };
}

interface Situation {
  readonly head: Head | undefined;
  readonly remote: Manifest;
  readonly content: SubjectContent;
}

async function bringUpToDate(hub: Hub, subject: Subject, situation: Situation): Promise<Replicated | "fenced"> {
  const { head, remote, content } = situation;
  const { machine } = hub.config;
  const { sendings, kept } = planSending(remote.items, content.sources, () => crypto.randomUUID());
  const bytes = sendings.reduce((sum, { local, from }) => sum + local.size - from, 0);
  const isSame = bytes === 0 && remote.whole && Bun.deepEquals(remote.documents, content.documents);
  if (head && isSame) return { state: "current" };
  const lease = decideLease(head, machine);
  // Without a byte of our own, other documents are only an older view of what another machine has written since.
  if (lease !== "mine" && bytes === 0) return { state: "current" };
  const continuesHub = kept.every(({ name }) => !name.startsWith("mirror/"));
  const decision = decideWrite(lease, continuesHub);
  if (decision === "diverged") return { state: "diverged", holder: head?.holder ?? "" };
  let fence = head?.fence;
  if (head && decision === "take-and-write") {
    fence = await takeLease(hub.connection, head, machine, leaseSeconds);
    if (fence === undefined) return "fenced";
  }
  const writer = new Writer(hub, subject, kept, sendings, head && { seq: head.seq, fence: fence ?? head.fence });
  const seq = await writer.send(content.documents, remote);
  return seq === undefined ? "fenced" : { state: "sent", bytes, id: subject.id, seq };
}

/** Sends one plan in transactions of limited size. Each leaves a manifest that is true. */
class Writer {
  readonly #hub: Hub;
  readonly #subject: Subject;
  readonly #kept: readonly Item[];
  readonly #items: Map<Sending<Source>, Item>;
  #expected: { seq: number; fence: number } | undefined;
  #chunks: Chunk[] = [];
  #waiting = 0;

  constructor(
    hub: Hub,
    subject: Subject,
    kept: readonly Item[],
    sendings: readonly Sending<Source>[],
    expected: { seq: number; fence: number } | undefined,
  ) {
    this.#hub = hub;
    this.#subject = subject;
    this.#kept = kept;
    this.#expected = expected;
    this.#items = new Map(
      sendings.map((each) => {
        const { local, stream, from, link } = each;
        return [each, { name: local.name, stream, size: from, link, hash: local.hashAt(from) ?? "" }];
      }),
    );
  }

  /** Returns the number of the last change; undefined when another machine has become the writer. */
  async send(documents: Manifest["documents"], { documents: before }: Manifest): Promise<number | undefined> {
    for (const [sending, item] of this.#items) {
      let { link } = item;
      for (const { start, end } of cutChunks(sending.from, sending.local.size, chunkBytes)) {
        link = this.#add(sending, start, end, link);
        if (this.#waiting >= batchBytes && !this.#isAtomic && !(await this.#commit(before, false))) return undefined;
      }
    }
    return (await this.#commit(documents, true)) ? this.#expected?.seq : undefined;
  }

  /** A pack differs each time git makes it, so it cannot be continued. */
  get #isAtomic(): boolean {
    return this.#subject.kind === "workspace";
  }

  #add(sending: Sending<Source>, start: number, end: number, previous: string): string {
    const { local, stream } = sending;
    const plain = local.read(start, end);
    if (plain.length !== end - start) throw new Error(`${local.name} became shorter while it was read`);
    const bound = chunkBinding(this.#subject.id, stream, start, previous);
    const content = this.#hub.sealer.seal(plain, bound);
    const link = chainLink(previous, bound, content);
    this.#chunks.push({ stream, start, length: plain.length, link, content });
    this.#waiting += plain.length;
    this.#items.set(sending, { name: local.name, stream, size: end, link, hash: local.hashAt(end) ?? "" });
    return link;
  }

  async #commit(documents: Manifest["documents"], whole: boolean): Promise<boolean> {
    const { connection, sealer, config } = this.#hub;
    const { id, kind, label, tags, isLive } = this.#subject;
    const seq = (this.#expected?.seq ?? 0) + 1;
    const items = [...this.#items.values(), ...this.#kept];
    const manifest: Manifest = { version: 1, whole, items, documents };
    const result = await commit(connection, {
      id,
      kind,
      machine: config.machine,
      expected: this.#expected,
      manifest: sealer.seal(new TextEncoder().encode(JSON.stringify(manifest)), manifestBinding(id, seq)),
      label: sealLabel(sealer, id, label),
      tags: tags.map((tag) => sealer.tag(tag)),
      bytes: items.reduce((sum, { size }) => sum + size, 0),
      chunks: this.#chunks,
      leaseSeconds: isLive ? leaseSeconds : 0,
    });
    if (result === "fenced") return false;
    this.#expected = { seq, fence: this.#expected?.fence ?? 1 };
    this.#chunks = [];
    this.#waiting = 0;
    return true;
  }
}

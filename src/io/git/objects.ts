/** An object of git: its name is the hash of its type, its size and its content. */
export interface GitObject {
  type: "blob" | "tree";
  content: Uint8Array;
  id: string;
}

const headerOf = ({ type, content }: Omit<GitObject, "id">): string => `${type} ${content.length}\0`;

export const objectId = (object: Omit<GitObject, "id">): string =>
  new Bun.CryptoHasher("sha1").update(headerOf(object)).update(object.content).digest("hex");

/** The bytes of the file in which git keeps one object, in zlib's format. */
export function looseObject(object: GitObject): Buffer {
  const plain = Buffer.concat([Buffer.from(headerOf(object)), object.content]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Bun.hash.adler32(plain));
  // Git, too, compresses such a file quickly; maintenance packs it.
  return Buffer.concat([Buffer.from([0x78, 0x01]), Bun.deflateSync(plain, { level: 1 }), checksum]);
}

/** A name in a tree: a file, a link or another tree. */
export interface TreeNode {
  /** As git writes it: 100644, 100755, 120000 or 40000. */
  mode: string;
  id: string;
}

const idBytes = 20;

/** The names are bytes, one per character. */
export function parseTree(content: Uint8Array): Map<string, TreeNode> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const nodes = new Map<string, TreeNode>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const [mode = "", ...name] = bytes.toString("latin1", at, end).split(" ");
    nodes.set(name.join(" "), { mode, id: bytes.toString("hex", end + 1, end + 1 + idBytes) });
    at = end + 1 + idBytes;
  }
  return nodes;
}

/** Git sorts a directory as if its name ended with a slash. */
export function serializeTree(nodes: ReadonlyMap<string, TreeNode>): Buffer {
  const sorted = [...nodes]
    .map(([name, node]) => ({ name, node, key: node.mode === "40000" ? `${name}/` : name }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ name, node }) => [Buffer.from(`${node.mode} ${name}\0`, "latin1"), Buffer.from(node.id, "hex")]),
  );
}

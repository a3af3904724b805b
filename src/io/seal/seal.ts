import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;
/** Higher levels hardly make transcripts smaller. */
const compressionLevel = 3;

/** Encrypts, decrypts and makes tags with keys derived from one secret, which never leaves the machine. */
export class Sealer {
  readonly #contentKey: Uint8Array;
  readonly #tagKey: Uint8Array;
  readonly #check: Buffer;

  /** `key`: 32 bytes in base64url. */
  constructor(key: string) {
    const secret = Buffer.from(key, "base64url");
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "ai-runtime hub", purpose, 32));
    this.#contentKey = derive("content");
    this.#tagKey = derive("tag");
    this.#check = derive("check");
  }

  /** Tells whether two machines have the same key; says nothing about the key. */
  get check(): Buffer {
    return this.#check;
  }

  /** Compresses, then encrypts with AES-256-GCM. `bound` must be the same when it is opened. */
  seal(content: Uint8Array, bound: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#contentKey, nonce).setAAD(Buffer.from(bound));
    const packed = Bun.zstdCompressSync(content, { level: compressionLevel });
    return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
  }

  /** Undefined when the key is another one, or anything was changed. */
  open(sealed: Uint8Array, bound: string): Buffer | undefined {
    if (sealed.length < nonceBytes + tagBytes) return undefined;
    const end = sealed.length - tagBytes;
    const decipher = createDecipheriv("aes-256-gcm", this.#contentKey, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(bound)).setAuthTag(sealed.subarray(end));
    try {
      const packed = Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
      return Buffer.from(Bun.zstdDecompressSync(packed));
    } catch {
      return undefined;
    }
  }

  /** The same text has the same tag on every machine of the hub, and the database cannot tell which text it is. */
  tag(text: string): Buffer {
    return createHmac("sha256", this.#tagKey).update(text).digest().subarray(0, 16);
  }
}

export const newKey = (): string => randomBytes(32).toString("base64url");

/** The link of a chain: it covers the link before it and these bytes. */
export const chainLink = (previous: string, bound: string, content: Uint8Array): string =>
  createHash("sha256").update(`${previous}\n${bound}\n`).update(content).digest("hex");

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { addWrong, isBlocked, type WrongTokens } from "../../core/dashboard/wrong-tokens.ts";

/** A link that was not opened by then is worthless. */
const tokenLifetimeMs = 10 * 60_000;
const cookieLifetimeMs = 30 * 86_400_000;
const maxOpenTokens = 20;

export const newKey = (): string => randomBytes(32).toString("hex");

/** What a link lets in: `blocked` when too many wrong tokens came. */
export type Entry = { readonly cookie: string; readonly maxAgeSeconds: number } | "wrong" | "blocked";

/**
 * Who may see the dashboard. A link has a token that works once; it is exchanged for a cookie. The cookie is signed with the key of
 * the record, so that it outlives a restart of the server; tokens are only in the memory of this process.
 */
export class EntryTokens {
  readonly #key: string;
  readonly #now: () => number;
  readonly #tokens = new Map<string, number>();
  #wrong: WrongTokens = [];

  constructor(key: string, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  newToken(): string {
    for (const [token, time] of this.#tokens) {
      if (this.#now() - time > tokenLifetimeMs || this.#tokens.size >= maxOpenTokens) this.#tokens.delete(token);
    }
    const token = randomBytes(24).toString("base64url");
    this.#tokens.set(token, this.#now());
    return token;
  }

  enter(token: string): Entry {
    const now = this.#now();
    if (isBlocked(this.#wrong, now)) return "blocked";
    const known = [...this.#tokens.keys()].find((each) => isSame(each, token));
    const made = known === undefined ? undefined : this.#tokens.get(known);
    if (known !== undefined) this.#tokens.delete(known);
    if (made === undefined || now - made > tokenLifetimeMs) {
      this.#wrong = addWrong(this.#wrong, now);
      return "wrong";
    }
    const content = `${now.toString(36)}.${randomBytes(16).toString("hex")}`;
    return { cookie: `${content}.${this.#sign("cookie", content)}`, maxAgeSeconds: cookieLifetimeMs / 1_000 };
  }

  isCookie(cookie: string): boolean {
    const [, content = "", time = "", signature = ""] =
      /^(([0-9a-z]{1,12})\.[0-9a-f]{32})\.([0-9a-f]{64})$/.exec(cookie) ?? [];
    const age = this.#now() - Number.parseInt(time, 36);
    return isSame(signature, this.#sign("cookie", content)) && age < cookieLifetimeMs;
  }

  /** Our own command proves that it can read the record. */
  isOwnCommand(proof: string): boolean {
    return isSame(proof, proofOf(this.#key));
  }

  #sign(purpose: string, content: string): string {
    return createHmac("sha256", this.#key).update(`${purpose} ${content}`).digest("hex");
  }
}

export const proofOf = (key: string): string => createHmac("sha256", key).update("link").digest("hex");

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import { has, isText, isTime } from "../check-record.ts";

/** `hub.json`: how this machine reaches its hub, and the key that the hub never sees. */
export interface HubConfig {
  readonly version: 1;
  readonly url: string;
  /** 32 bytes in base64url. */
  readonly key: string;
  readonly hub: string;
  readonly machine: string;
  /** Shown on other machines. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly joined: number;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isUuid = (value: unknown): boolean => typeof value === "string" && uuid.test(value);
/** 32 bytes. */
const isKey = (value: unknown): boolean => typeof value === "string" && /^[A-Za-z0-9_-]{43}$/.test(value);

export const isHubConfig = (value: unknown): value is HubConfig =>
  has({
    version: (version) => version === 1,
    url: isText,
    key: isKey,
    hub: isUuid,
    machine: isUuid,
    name: isText,
    joined: isTime,
  } satisfies Record<keyof HubConfig, (value: unknown) => boolean>)(value);

/** What another machine needs to join. */
export type Invitation = Pick<HubConfig, "url" | "key" | "hub">;

const prefix = "aihub1:";

/** One line to paste on another machine. It holds the key: treat it like a password. */
export const writeInvitation = ({ url, key, hub }: Invitation): string =>
  `${prefix}${encode(JSON.stringify({ url, key, hub }))}`;

/** Undefined when the line is not an invitation. */
export function readInvitation(line: string): Invitation | undefined {
  const text = line.trim();
  if (!text.startsWith(prefix)) return undefined;
  try {
    const value: unknown = JSON.parse(decode(text.slice(prefix.length)));
    return has({ url: isText, key: isKey, hub: isUuid })(value) ? (value as Invitation) : undefined;
  } catch {
    return undefined;
  }
}

const encode = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const decode = (text: string): string =>
  new TextDecoder().decode(
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)),
  );

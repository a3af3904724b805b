/** Where the hub is, and how a connection to it is protected. */
export interface HubAddress {
  /** As the user gave it, with the password. */
  readonly url: string;
  /** For messages: without password and options. */
  readonly shown: string;
  readonly hasPassword: boolean;
  /** The directory of a Unix socket; undefined for TCP. */
  readonly socketDirectory: string | undefined;
  readonly port: number;
  /** `verify`: TLS, and the certificate must be valid for the host. `off` only on loopback and Unix sockets. */
  readonly tls: "off" | "verify";
  /** A file with the certificates to trust instead of the system's. */
  readonly certificates: string | undefined;
}

export type ParsedAddress = HubAddress | { readonly problem: string };

const defaultPort = 5432;
const verifiedModes = new Set(["require", "verify-ca", "verify-full"]);
const plainModes = new Set(["disable", "allow", "prefer"]);

/** Reads `postgres://user@host:port/database`; `?host=/directory` names a Unix socket, `sslrootcert` a file of certificates. */
export function parseHubAddress(text: string): ParsedAddress {
  if (!/^postgres(ql)?:\/\//i.test(text)) return { problem: "it must start with postgres://" };
  let url: URL;
  try {
    // "postgres:///database?host=/socket" has no host, which URL refuses for this scheme only in some forms.
    url = new URL(text);
  } catch {
    return { problem: "it is not a valid URL" };
  }
  if (url.pathname.replace(/^\//, "") === "") return { problem: "it names no database: postgres://user@host/database" };
  const given = url.searchParams.get("host") ?? "";
  const socketDirectory = given.startsWith("/") ? given : undefined;
  if (socketDirectory === undefined && url.hostname === "") return { problem: "it names no host" };
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !verifiedModes.has(mode) && !plainModes.has(mode))
    return { problem: `sslmode=${mode} is unknown` };
  const isLocal = socketDirectory !== undefined || isLoopback(url.hostname);
  if (!isLocal && mode !== null && plainModes.has(mode)) {
    return { problem: `sslmode=${mode} would send data unprotected; only loopback and Unix sockets work without TLS` };
  }
  const port = url.port === "" ? Number(url.searchParams.get("port") ?? defaultPort) : Number(url.port);
  const place = socketDirectory ?? `${url.hostname}${url.port === "" ? "" : `:${url.port}`}`;
  return {
    url: text,
    shown: `postgres://${url.username === "" ? "" : `${decodeURIComponent(url.username)}@`}${place}${url.pathname}`,
    hasPassword: url.password !== "" || url.searchParams.has("password"),
    socketDirectory,
    port,
    tls: isLocal && !verifiedModes.has(mode ?? "") ? "off" : "verify",
    certificates: url.searchParams.get("sslrootcert") ?? undefined,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

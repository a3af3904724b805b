/** What a request says about where it comes from. */
export interface RequestOrigin {
  readonly host: string | null;
  /** Browsers send it with every request that another page causes, and with every POST and WebSocket. */
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: absent in old browsers and in programs. */
  readonly fetchSite: string | null;
}

const loopbackNames: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
const address = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

/**
 * Why a request is refused; undefined when it may pass. The name in `Host` must be a loopback name, or a plain address when the
 * server listens on more than loopback: a foreign name means that its owner points it at this machine (DNS rebinding). The port
 * may be any, because ssh forwards from another one.
 */
export function whyForeignHost({ host }: RequestOrigin, acceptsAddresses: boolean): string | undefined {
  const name = nameOf(host ?? "");
  if (name !== undefined && (loopbackNames.has(name) || (acceptsAddresses && address.test(name)))) return undefined;
  return "this address is not served under that host name";
}

/** Why a request of another page is refused. A page on another port of this machine is another page. */
export function whyForeignOrigin({ host, origin, fetchSite }: RequestOrigin): string | undefined {
  const isForeign = origin !== null && origin !== `http://${host}`;
  const isFromElsewhere = fetchSite !== null && fetchSite !== "same-origin" && fetchSite !== "none";
  return isForeign || isFromElsewhere ? "requests of other pages are refused" : undefined;
}

/** Without the port; undefined when it is malformed. */
const nameOf = (host: string): string | undefined =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();

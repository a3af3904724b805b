import { type RequestOrigin, whyForeignHost, whyForeignOrigin } from "../../core/dashboard/request-guard.ts";
import type { HttpHandler, WebSocketListener } from "../../io/http/serve.ts";
import { answer, json, refuse, refuseFailure } from "./answers.ts";
import type { EntryTokens } from "./entry-tokens.ts";
import { pageFile } from "./page-files.ts";
import { type Asked, type Dashboard, routes } from "./routes.ts";

export const maxBodyBytes = 64 * 1024;

const cookieName = "ai-runtime-dashboard";

const needsLink = [
  "This dashboard needs its link.",
  "",
  "A link works once and for ten minutes. Run this command again for a new one:",
  "",
  "    ai-runtime dashboard",
  "",
].join("\n");

const entered = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>ai-runtime</title>`;

export interface HandlerOptions {
  readonly dashboard: Dashboard;
  readonly tokens: EntryTokens;
  /** The server listens on more than loopback, so its address may be any of this machine. */
  readonly acceptsAddresses: boolean;
}

/** Lets in only requests of our own page with a cookie of ours. Every check comes before anything is read. */
export class RequestHandler implements HttpHandler {
  readonly #options: HandlerOptions;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  async handle(request: Request): Promise<Response | WebSocketListener> {
    const origin: RequestOrigin = {
      host: request.headers.get("host"),
      origin: request.headers.get("origin"),
      fetchSite: request.headers.get("sec-fetch-site"),
    };
    const foreign = whyForeignHost(origin, this.#options.acceptsAddresses);
    if (foreign !== undefined) return refuse(403, foreign);
    const url = new URL(request.url);
    // Browsers ask for it by themselves.
    if (url.pathname === "/favicon.ico") return answer(null, { status: 204 });
    if (url.pathname === "/enter") return this.#enter(request, url);
    if (url.pathname === "/link") return this.#newLink(request, origin);
    if (!this.#options.tokens.isCookie(cookieIn(request))) return answer(needsLink, { status: 401 });
    const file = request.method === "GET" ? pageFile(url.pathname) : undefined;
    if (file) return servePage(url.pathname, file);
    const otherPage = whyForeignOrigin(origin);
    if (otherPage !== undefined) return refuse(403, otherPage);
    return this.#call(request, url);
  }

  /** A link of the user: exchanges its token for a cookie, and leaves the token out of the address. */
  #enter(request: Request, url: URL): Response {
    if (request.method !== "GET") return refuse(405, "use GET");
    const entry = this.#options.tokens.enter(url.searchParams.get("token") ?? "");
    if (entry === "blocked") return answer("too many wrong links: wait a minute\n", { status: 429, "retry-after": 60 });
    if (entry === "wrong") return answer(needsLink, { status: 401 });
    const { cookie, maxAgeSeconds } = entry;
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
    // Not a redirect: a browser leaves a strict cookie out when another site's link started it.
    return answer(entered, { type: "text/html;charset=utf-8", "set-cookie": `${cookieName}=${cookie}; ${attributes}` });
  }

  /** Our own command asks for a link to a server that runs. It proves that it can read our records. */
  #newLink(request: Request, { origin, fetchSite }: RequestOrigin): Response {
    const { tokens } = this.#options;
    const proof = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    const isOurs = request.method === "POST" && origin === null && fetchSite === null && tokens.isOwnCommand(proof);
    return isOurs ? json({ token: tokens.newToken() }) : refuse(403, "only for ai-runtime dashboard");
  }

  async #call(request: Request, url: URL): Promise<Response | WebSocketListener> {
    const { dashboard } = this.#options;
    const found = routes.flatMap((route) => {
      const match = route.path.exec(url.pathname);
      return match ? [{ route, id: match[1] ?? "" }] : [];
    });
    const chosen = found.find(({ route }) => route.method === request.method);
    if (!chosen)
      return found.length > 0 ? refuse(405, "this method is not used here") : refuse(404, "there is no such page");
    const { route, id } = chosen;
    if (route.acts && dashboard.isReadOnly) return refuse(403, "this dashboard is read-only");
    try {
      const body = route.method === "POST" ? await readBody(request) : {};
      if (body instanceof Response) return body;
      return wrap(await route.run(dashboard, { request, id, query: url.searchParams, body }));
    } catch (error) {
      return refuseFailure(error);
    }
  }
}

const wrap = (value: unknown): Response | WebSocketListener =>
  value instanceof Response || isListener(value) ? value : json(value);

const isListener = (value: unknown): value is WebSocketListener =>
  typeof value === "object" && value !== null && "onMessage" in value;

/** A form of another page cannot send JSON without asking first, and we never agree. */
async function readBody(request: Request): Promise<Asked["body"] | Response> {
  if (request.headers.get("content-type")?.split(";")[0] !== "application/json") return refuse(415, "send JSON");
  const text = await request.text();
  if (text.length > maxBodyBytes) return refuse(413, `send at most ${maxBodyBytes} bytes`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Asked["body"];
  } catch {
    // The refusal below covers text that is not JSON as well.
  }
  return refuse(400, "send a JSON object");
}

function cookieIn(request: Request): string {
  const all = request.headers.get("cookie")?.split(/; */) ?? [];
  return all.find((each) => each.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? "";
}

/** The name of every file but the first contains a hash of its content. */
const servePage = (path: string, { content, type }: { content: Blob; type: string }): Response =>
  answer(content, {
    type,
    "cache-control": path === "/" ? "no-store" : "private, max-age=31536000, immutable",
  });

import { version } from "../../core/version.ts";
import { Failure } from "../../core/failure.ts";
import { messageOf } from "../../core/message-of.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { parentOf } from "../../io/files/read-file.ts";
import { type HttpServer, serveHttp } from "../../io/http/serve.ts";
import { signalProcess, waitForEnd } from "../../io/process/end-process.ts";
import { onSignals } from "../../io/process/on-signals.ts";
import { identifyProcess, isSameProcess } from "../../io/process/process.ts";
import { startAnnounced } from "../../io/process/start-detached.ts";
import {
  dashboardLock,
  readDashboard,
  type RunningDashboard,
  writeDashboard,
} from "../../store/dashboard/dashboard-record.ts";
import { lockOrFail, tryLock } from "../../store/lock.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { type DashboardOptions, defaultPort } from "./dashboard-options.ts";
import { EntryTokens, newKey, proofOf } from "./entry-tokens.ts";
import { LiveEvents } from "./live-events.ts";
import { KnownServices, lookNow } from "./look-now.ts";
import { maxBodyBytes, RequestHandler } from "./request-handler.ts";
import type { Dashboard } from "./routes.ts";

export interface StartedDashboard {
  /** With a token that works once. */
  readonly link: string;
  /** Without it. */
  readonly address: string;
  /** Resolves when the server has ended: by Ctrl-C, a hang-up or `dashboard stop`. */
  readonly ended: Promise<void>;
}

/** When the usual port is taken, as many more are tried. */
const morePorts = 10;

const stateRootOf = ({ variables, home }: Environment): string => runRoot(variables, home);

/** Serves the dashboard in this process until a signal ends it. Fails when one runs already. */
export function startDashboard(environment: Environment, options: DashboardOptions): StartedDashboard {
  const root = stateRootOf(environment);
  makeDirectory(parentOf(dashboardLock(root)));
  const lock = lockOrFail(
    tryLock(dashboardLock(root)),
    "another dashboard is starting or running",
    "ai-runtime dashboard stop ends it.",
  );
  try {
    const key = readDashboard(root)?.key ?? newKey();
    const tokens = new EntryTokens(key, environment.now);
    const dashboard = makeDashboard(environment, options);
    const acceptsAddresses = options.listen !== undefined;
    const servers = listen(options, new RequestHandler({ dashboard, tokens, acceptsAddresses }));
    const address = `http://${options.listen === undefined ? "127.0.0.1" : inAddress(options.listen)}:${servers[0]?.port}`;
    const server = identifyProcess(process.pid);
    if (!server) throw new Failure("failed", "this process cannot be identified");
    writeDashboard(root, { version: 1, key, running: { server, address, isReadOnly: options.isReadOnly } });
    const ended = untilSignal().then(async () => {
      dashboard.live.close();
      await Promise.all(servers.map((each) => each.stop()));
      writeDashboard(root, { version: 1, key, running: null });
      lock.discard();
    });
    return { link: linkOf(address, tokens.newToken()), address, ended };
  } catch (error) {
    lock.discard();
    throw error;
  }
}

function makeDashboard(environment: Environment, { isReadOnly }: DashboardOptions): Dashboard {
  const services = new KnownServices(environment);
  const look = async (): ReturnType<Dashboard["look"]> =>
    lookNow(environment, { version, isReadOnly, services: await services.reports() });
  return { environment, isReadOnly, look, live: new LiveEvents(environment, look) };
}

/** On IPv4 loopback, and on IPv6 loopback where the machine has it; or on the address that the user names. */
function listen({ port, listen: given }: DashboardOptions, handler: RequestHandler): HttpServer[] {
  const hostname = given ?? "127.0.0.1";
  const wanted = port === undefined ? Array.from({ length: morePorts }, (_, at) => defaultPort + at) : [port];
  const first = firstOf(wanted, (each) => serveHttp({ hostname, port: each, maxBodyBytes }, handler));
  if (given !== undefined) return [first];
  try {
    return [first, serveHttp({ hostname: "::1", port: first.port, maxBodyBytes }, handler)];
  } catch {
    return [first];
  }
}

function firstOf(ports: readonly number[], serve: (port: number) => HttpServer): HttpServer {
  let problem: unknown;
  for (const port of ports) {
    try {
      return serve(port);
    } catch (error) {
      problem = error;
    }
  }
  const which = ports.length === 1 ? `port ${ports[0]}` : `any of the ports ${ports[0]} to ${ports.at(-1)}`;
  throw new Failure("failed", `the dashboard cannot listen on ${which}: ${messageOf(problem)}`, {
    hint: "Give a free port with --port.",
  });
}

const untilSignal = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], () => resolve());
  return promise.finally(stop);
};

const inAddress = (host: string): string => (host.includes(":") ? `[${host}]` : host);
const linkOf = (address: string, token: string): string => `${address}/enter?token=${token}`;

/** The dashboard that runs now; undefined when there is none. */
export function runningDashboard(environment: Environment): RunningDashboard | undefined {
  const running = readDashboard(stateRootOf(environment))?.running;
  return running && isSameProcess(running.server) ? running : undefined;
}

/** A new link to the dashboard that runs now. */
export async function linkToRunning(environment: Environment, { address }: RunningDashboard): Promise<string> {
  const key = readDashboard(stateRootOf(environment))?.key ?? "";
  try {
    const response = await fetch(`${address}/link`, {
      method: "POST",
      headers: { authorization: `Bearer ${proofOf(key)}` },
    });
    const { token } = (await response.json()) as { token?: unknown };
    if (typeof token === "string") return linkOf(address, token);
  } catch {
    // The failure below covers an answer that cannot be read as well.
  }
  throw new Failure("failed", `the dashboard at ${address} does not answer`, {
    hint: "End it with: ai-runtime dashboard stop",
  });
}

type Announcement =
  | { readonly link: string; readonly address: string }
  | { readonly failure: { readonly message: string; readonly hint: string | null } };

/** Starts a dashboard process that outlives this one. */
export async function detachDashboard(
  environment: Environment,
  options: DashboardOptions,
): Promise<Omit<StartedDashboard, "ended">> {
  const command = [process.execPath, "dashboard-server", JSON.stringify(options)];
  const { line } = await startAnnounced(command, "ai-runtime", environment.variables, environment.home);
  if (line === "") throw new Failure("failed", "the dashboard ended before it was ready");
  const announced = JSON.parse(line) as Announcement;
  if ("link" in announced) return announced;
  const { message, hint } = announced.failure;
  throw new Failure("failed", message, hint === null ? {} : { hint });
}

/** The body of the detached process: its first line on stdout reports whether it started. */
export async function serveDetached(
  environment: Environment,
  options: DashboardOptions,
  announce: (announcement: Announcement) => void,
): Promise<void> {
  try {
    const { link, address, ended } = startDashboard(environment, options);
    announce({ link, address });
    await ended;
  } catch (error) {
    const hint = error instanceof Failure ? (error.hint ?? null) : null;
    announce({ failure: { message: messageOf(error), hint } });
  }
}

/** Makes every cookie worthless: pages that are open need a new link. */
export function forgetPages(environment: Environment): void {
  const root = stateRootOf(environment);
  makeDirectory(parentOf(dashboardLock(root)));
  const lock = lockOrFail(
    tryLock(dashboardLock(root)),
    "a dashboard is running",
    "Stop it first: ai-runtime dashboard stop",
  );
  try {
    writeDashboard(root, { version: 1, key: newKey(), running: null });
  } finally {
    lock.discard();
  }
}

const stopTimeoutMs = 10_000;

/** Ends the dashboard that runs. Returns its address. */
export async function stopDashboard(environment: Environment): Promise<string> {
  const running = runningDashboard(environment);
  if (!running) throw new Failure("not-found", "no dashboard is running");
  signalProcess(running.server, "SIGTERM");
  if (await waitForEnd(running.server, stopTimeoutMs)) return running.address;
  throw new Failure("failed", `the dashboard (process ${running.server.pid}) has not ended yet, but was asked to`);
}

import { type DashboardOptions, defaultPort } from "../../../app/dashboard/dashboard-options.ts";
import { openBrowser } from "../../../app/dashboard/open-browser.ts";
import type { Environment } from "../../../app/environment.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { Output } from "../../output.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

/** Help and completions load this file, but not the server. */
const loadServer = (): Promise<typeof import("../../../app/dashboard/dashboard.ts")> =>
  import("../../../app/dashboard/dashboard.ts");

export default defineVerb({
  summary: "shows everything in a browser: what runs, conversations, search, restore, a live terminal",
  details: `Serves one page on this machine only (127.0.0.1 and ::1) and prints a link that works once. Ctrl-C ends it. When a
dashboard runs already, this prints a new link to it. For another machine, forward the port:
ssh -L ${defaultPort}:127.0.0.1:${defaultPort} HOST.`,
  args: {
    action: {
      type: "positional",
      required: false,
      description: "stop ends the dashboard that runs; forget makes all open pages ask for a new link",
    },
    port: { type: "string", valueHint: "number", description: `default: ${defaultPort}, or a free one after it` },
    "no-open": { type: "boolean", description: "print the link, but do not open the browser" },
    "read-only": { type: "boolean", description: "show only; no run, restore or key can be sent from the page" },
    detach: { type: "boolean", description: "return at once and serve in the background" },
    listen: {
      type: "string",
      valueHint: "address",
      description: "listen on this address instead of loopback, without encryption; ssh -L is safer",
    },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime dashboard", "opens the dashboard in the browser, until Ctrl-C"],
    ["ai-runtime dashboard --detach --no-open", "serves in the background and prints the link"],
    ["ai-runtime dashboard stop", "ends it"],
  ],
  async run(args, output, { environment, rawArgs }) {
    if (args.action === "stop") return stop(environment, output);
    if (args.action === "forget") return forget(environment, output);
    if (args.action !== undefined) {
      throw new Failure("usage", `unknown action "${args.action}"; use stop or forget`);
    }
    const options: DashboardOptions = {
      port: portOf(args.port),
      isReadOnly: args["read-only"] === true,
      listen: args.listen,
    };
    const show = ({ link, address }: { link: string; address: string }): void => {
      if (output.mode === "json") output.json({ address, link });
      else output.data(link);
      // The parser takes it for the opposite of an option "open".
      if (!rawArgs.includes("--no-open")) openBrowser(environment, link);
    };
    const { detachDashboard, linkToRunning, runningDashboard, startDashboard } = await loadServer();
    const running = runningDashboard(environment);
    if (running) {
      if (options.isReadOnly && !running.isReadOnly) {
        throw new Failure("locked", "a dashboard runs already, and is not read-only", {
          hint: "Stop it first: ai-runtime dashboard stop",
        });
      }
      show({ link: await linkToRunning(environment, running), address: running.address });
      output.note("A dashboard runs already; this is a new link to it. ai-runtime dashboard stop ends it.");
      return exitCodes.done;
    }
    if (options.listen !== undefined) {
      output.warn(`${options.listen} may be reachable from other machines, without encryption: ssh -L is safer`);
    }
    if (args.detach) {
      show(await detachDashboard(environment, options));
      output.note("It runs in the background. ai-runtime dashboard stop ends it.");
      return exitCodes.done;
    }
    const started = startDashboard(environment, options);
    show(started);
    output.note("The link works once, for ten minutes. Ctrl-C ends the dashboard.");
    await started.ended;
    return exitCodes.done;
  },
});

async function stop(environment: Environment, output: Output): Promise<number> {
  const address = await (await loadServer()).stopDashboard(environment);
  if (output.mode === "json") output.json({ address, state: "stopped" });
  else output.success(`Stopped the dashboard at ${address}.`);
  return exitCodes.done;
}

async function forget(environment: Environment, output: Output): Promise<number> {
  (await loadServer()).forgetPages(environment);
  if (output.mode === "json") output.json({ forgotten: true });
  else output.success("Every page of the dashboard needs a new link.");
  return exitCodes.done;
}

function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw new Failure("usage", `--port must be a number from 0 to 65535 (got "${given}")`);
}

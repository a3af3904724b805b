import { Failure } from "../../core/failure.ts";
import type { HostedEnd } from "../../core/host/frames.ts";
import { newRun } from "../../core/run/run-record.ts";
import { withOptionalScratchDirectory } from "../../io/durable/scratch-directory.ts";
import { readFirstLine } from "../../io/terminal/read-stdin.ts";
import type { HostPlan } from "../../store/hosts/host-records.ts";
import { RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { type Environment, hostGateVariable, hostTerminalVariable } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { hostedEnvironment, HostedProgram } from "./hosted-program.ts";
import { HostRun } from "../hosted-claude/host-run.ts";
import type { Host } from "./host.ts";
import { hostRecords, removeOldHosts, type TerminalHostPlan } from "./registry.ts";
import { openStartGate, startGate } from "../../io/process/start-gate.ts";

type OnReady = (socket: string) => void;

/** Runs the program of the plan with this id until it ends. Runs in the host process. */
export async function runHost(environment: Environment, id: string, onReady: OnReady): Promise<HostedEnd> {
  const plan = hostRecords(environment).read(id)?.plan;
  if (!plan) throw new Failure("not-found", `there is no record of host "${id}"`);
  const run = holdRun(environment, id);
  return withOptionalScratchDirectory((events) =>
    ending(run, async () => {
      const host = await loadHost(environment, { plan, run, events });
      let socket = "";
      const onListening = (path: string): void => void (socket = path);
      return host.run({ onListening, onReady: () => onReady(socket) });
    }),
  );
}

/**
 * Runs a program for the client that started this process. The client sends the plan on stdin and then attaches. The program
 * starts early and waits until then. A client that dies before leaves nothing on disk.
 */
export async function runTerminalHost(environment: Environment, onReady: OnReady): Promise<HostedEnd> {
  const { line, ended } = await readFirstLine();
  const { plan, run: runPlan, terminal } = JSON.parse(line) as TerminalHostPlan;
  const run = holdRun(environment, plan.id);
  return withOptionalScratchDirectory((events) =>
    ending(run, async () => {
      if (events === undefined) throw new Failure("failed", "there is no directory for temporary files");
      const gate = startGate(events);
      const program = new HostedProgram(plan, {
        ...hostedEnvironment(environment.variables, plan, events),
        [hostTerminalVariable]: terminal ?? undefined,
        [hostGateVariable]: gate,
      });
      const host = await loadHost(environment, { plan, run, events, program });
      void ended.then(() => host.abandon());
      return host.run({
        onListening: onReady,
        onFirstClient: () => {
          // A resume needs both, so they are on disk before claude starts.
          hostRecords(environment).write({ version: 1, plan, running: null, session: null, end: null });
          run.register(newRun(runPlan));
          openStartGate(gate);
        },
        onReady: () => removeOldHosts(environment),
      });
    }),
  );
}

const holdRun = (environment: Environment, id: string): HostRun =>
  new HostRun(new RunPaths(runRoot(environment.variables, environment.home)), id, environment.now);

interface HostParts {
  readonly plan: HostPlan;
  readonly run: HostRun;
  readonly events: string | undefined;
  readonly program?: HostedProgram;
}

/** Only now, because the screen model takes longer to load than a program takes to start. */
async function loadHost(environment: Environment, parts: HostParts): Promise<Host> {
  const { Host: LoadedHost } = await import("./host.ts");
  const { settings } = loadSettings(environment);
  return new LoadedHost({ ...parts, records: hostRecords(environment), environment, settings });
}

async function ending(run: HostRun, work: () => Promise<HostedEnd>): Promise<HostedEnd> {
  try {
    return await work();
  } catch (error) {
    run.ended({ exitCode: 1, signal: null }, undefined);
    throw error;
  } finally {
    run.release();
  }
}

import type { Environment } from "../../app/environment.ts";
import type { InstallReport } from "../../app/install/install.ts";
import { listStillRunning, type StillRunning, stopRunning } from "../../app/install/still-running.ts";
import { Failure } from "../../core/failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import { printInstallReport } from "./install-report.ts";

/** The flags of both uninstall commands. */
export const uninstallArgs = {
  "dry-run": { type: "boolean", description: "show the changes, but make none" },
  stop: { type: "boolean", description: "first stop hosts and runs, and remove services" },
  "keep-running": { type: "boolean", description: "leave hosts, runs and services as they are" },
} as const;

type UninstallFlags = { readonly [flag in keyof typeof uninstallArgs]?: boolean | undefined };

type Uninstall = (environment: Environment, how: { dryRun: boolean }) => Promise<InstallReport>;

/** Uninstalls after the user has decided what happens to hosts, runs and services that still need us. Returns the exit code. */
export async function uninstallWith(
  environment: Environment,
  { "dry-run": dryRun = false, stop = false, "keep-running": keepRunning = false }: UninstallFlags,
  { uninstall, done }: { readonly uninstall: Uninstall; readonly done: string },
  output: Output,
): Promise<number> {
  if (stop && keepRunning) throw new Failure("usage", "give --stop or --keep-running, not both");
  const running = listStillRunning(environment);
  const stops = !keepRunning && !dryRun && running.length > 0;
  if (stops && !stop && !(await mayStop(running, output))) {
    output.note("Nothing was changed. To uninstall and leave them running: --keep-running");
    return exitCodes.stopped;
  }
  for (const each of stops ? running : []) {
    output.note(`Stopping ${describe(each)} …`);
    await stopRunning(environment, each);
  }
  const report = await uninstall(environment, { dryRun });
  const stopped = stops || (stop && dryRun) ? running.map((each) => `${verbOf(each)} ${describe(each)}`) : [];
  const left = stopped.length > 0 ? [] : running.map((each) => `${describe(each)} ${fate(each)}`);
  const words = { unchanged: "Nothing is installed; nothing to do.", done };
  return printInstallReport(
    { ...report, changes: [...stopped, ...report.changes], warnings: [...report.warnings, ...left] },
    { dryRun, ...words },
    output,
  );
}

async function mayStop(running: readonly StillRunning[], output: Output): Promise<boolean> {
  const lines = running.map((each) => `  ${describe(each)}`);
  if (!output.canAsk) {
    throw new Failure("locked", `${running.length} still running: ${running.map(describe).join(", ")}`, {
      hint: "Nothing was changed. --stop stops them first and removes services; --keep-running leaves them as they are.",
    });
  }
  output.note(["Still running:", ...lines].join("\n"));
  return output.confirm("Stop them (services are removed) and uninstall?");
}

const describe = ({ kind, id, directory }: StillRunning): string => oneLine(`${kind} ${id} in ${directory}`);
const verbOf = ({ kind }: StillRunning): string => (kind === "service" ? "remove" : "stop");
const fate = ({ kind }: StillRunning): string =>
  kind === "service" ? "stays, and is started again without our hooks" : "keeps running, without our hooks";

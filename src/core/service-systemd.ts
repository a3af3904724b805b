import { oneLine } from "./one-line.ts";
import { type ServiceOptions, startLimitInterval } from "./service-options.ts";
import { servicePaths, unitName } from "./service-paths.ts";
import { systemdAssignment, systemdLine, systemdProgram, systemdWord } from "./service-quote.ts";

/** How often a host that watches must say that it is alive itself; it says so three times as often. */
const hostWatchdogSeconds = 60;

/** A user unit. The limit of starts stands in [Unit]: in [Service] it is ignored, and a crash loop would never end. */
export function systemdUnit(options: ServiceOptions): string {
  const { slug, restart, restartDelay, burst } = options;
  const lines = [
    "# Written by ai-runtime service install; ai-runtime service uninstall removes it.",
    "[Unit]",
    `Description=${systemdLine(`Claude Code in ${oneLine(options.workspace, 80)} (ai-runtime ${slug})`, "the workspace")}`,
    `StartLimitIntervalSec=${seconds(startLimitInterval(options))}`,
    `StartLimitBurst=${burst}`,
    "",
    "[Service]",
    ...(options.resume ? hostLines(options) : claudeLines(options)),
    `Restart=${restart}`,
    `RestartSec=${seconds(restartDelay)}`,
    "KillMode=mixed",
    // A large transcript that has to be repaired takes its time.
    "TimeoutStartSec=300",
    "TimeoutStopSec=30",
    "",
    "[Install]",
    "WantedBy=default.target",
  ];
  return `${lines.join("\n")}\n`;
}

// A shell at a fixed place starts the wrapper: systemd accepts a path with quotes as an argument, not as the program.
function hostLines({ system, slug, places, watchdog }: ServiceOptions): string[] {
  const { wrapper, log } = servicePaths(system, slug, places);
  return [
    "Type=notify",
    "NotifyAccess=main",
    `ExecStart=/bin/sh ${systemdWord(wrapper, "the path of the wrapper")}`,
    // The usual SIGABRT would only fill the log with a report of a crash that is none.
    ...(watchdog === null ? [] : [`WatchdogSec=${hostWatchdogSeconds}`, "WatchdogSignal=SIGKILL"]),
    ...outputLines(log),
    // For the log; the wrapper sets the user's own for claude.
    "UMask=0077",
  ];
}

function claudeLines({
  system,
  slug,
  places,
  claude,
  claudeArguments,
  workspace,
  environment,
  umask,
}: ServiceOptions): string[] {
  const words = claudeArguments.map((word) => systemdWord(word, "the argument"));
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${systemdAssignment(`${name}=${value}`, `the value of ${name}`)}`,
  );
  return [
    "Type=exec",
    `ExecStart=${[systemdProgram(claude ?? "claude", "the path of claude"), ...words].join(" ")}`,
    `WorkingDirectory=${systemdLine(workspace, "the workspace")}`,
    ...variables,
    ...outputLines(servicePaths(system, slug, places).log),
    `UMask=${octal(umask)}`,
  ];
}

function outputLines(log: string): string[] {
  const target = `append:${systemdLine(log, "the path of the log")}`;
  return [`StandardOutput=${target}`, `StandardError=${target}`];
}

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));

const systemctl = (...words: string[]): string[] => ["systemctl", "--user", ...words];

// Asked for by a pattern, systemd does not mind when there is nothing to reset.
const forgetFailures = (slug: string): string[] => systemctl("reset-failed", unitName(slug).replace(/e$/, "[e]"));

export const systemdCommands = {
  /** `restart` starts what does not run, and a new unit is not in force before it. */
  install: ({ slug }: ServiceOptions): string[][] => [
    systemctl("daemon-reload"),
    systemctl("enable", unitName(slug)),
    forgetFailures(slug),
    systemctl("restart", unitName(slug)),
  ],
  stop: (slug: string): string[][] => [systemctl("disable", "--now", unitName(slug))],
  forget: (slug: string): string[][] => [systemctl("daemon-reload"), forgetFailures(slug)],
  status: (slug: string): string[] =>
    systemctl(
      "show",
      unitName(slug),
      "--property=LoadState,ActiveState,SubState,MainPID,NRestarts,Result,ExecMainStatus,StatusText",
    ),
};

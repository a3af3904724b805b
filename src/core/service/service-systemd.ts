import { shortenToLine } from "../shorten-to-line.ts";
import { type ServiceOptions, startLimitInterval } from "./service-options.ts";
import { servicePaths, unitName } from "./service-paths.ts";
import { systemdAssignment, systemdLine, systemdProgram, systemdWord } from "./service-quote.ts";

/** systemd kills the service when it sends no heartbeat for this long; the service sends three per interval. */
const hostWatchdogSeconds = 60;

/** A user unit. The start limit must be in [Unit]: systemd ignores it in [Service], and a crash loop would never end. */
export function systemdUnit(options: ServiceOptions): string {
  const { slug, restart, restartDelay, burst } = options;
  const lines = [
    "# Written by ai-runtime service install; ai-runtime service uninstall removes it.",
    "[Unit]",
    `Description=${systemdLine(`Claude Code in ${shortenToLine(options.workspace, 80)} (ai-runtime ${slug})`, "the workspace")}`,
    `StartLimitIntervalSec=${seconds(startLimitInterval(options))}`,
    `StartLimitBurst=${burst}`,
    "",
    "[Service]",
    ...(options.resume ? hostLines(options) : claudeLines(options)),
    `Restart=${restart}`,
    `RestartSec=${seconds(restartDelay)}`,
    "KillMode=mixed",
    // Repairing a large transcript before the start takes long.
    "TimeoutStartSec=300",
    "TimeoutStopSec=30",
    "",
    "[Install]",
    "WantedBy=default.target",
  ];
  return `${lines.join("\n")}\n`;
}

// /bin/sh starts the wrapper, because systemd accepts a path with quotes only as an argument, not as the program.
function hostLines({ system, slug, places, watchdog }: ServiceOptions): string[] {
  const { wrapper, log } = servicePaths(system, slug, places);
  return [
    "Type=notify",
    "NotifyAccess=main",
    `ExecStart=/bin/sh ${systemdWord(wrapper, "the path of the wrapper")}`,
    // The default, SIGABRT, would write a misleading crash report to the log.
    ...(watchdog === null ? [] : [`WatchdogSec=${hostWatchdogSeconds}`, "WatchdogSignal=SIGKILL"]),
    ...outputLines(log),
    // Applies to the log; the wrapper sets the user's umask for claude.
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

// With a pattern, reset-failed succeeds even when the unit is not loaded.
const forgetFailures = (slug: string): string[] => systemctl("reset-failed", unitName(slug).replace(/e$/, "[e]"));

/** What the user can do when systemctl cannot reach a user manager; undefined for any other failure. */
export function systemdAdvice(problem: string, userId: number): string | undefined {
  if (/not been booted with systemd|systemctl is not on PATH/.test(problem)) {
    return 'This machine does not run systemd, so it cannot keep a service. Use instead: ai-runtime run "<task>" --detach';
  }
  if (!/Failed to connect to (user scope )?bus/i.test(problem)) return undefined;
  return `No systemd user manager is reachable, as after su or sudo, or in cron or a container. Log in as this user directly, or run:
  sudo loginctl enable-linger $(id -un)
  export XDG_RUNTIME_DIR=/run/user/${userId}
  systemctl --user is-system-running    # must answer, then install again`;
}

export const systemdCommands = {
  /** `restart` also starts a stopped unit, and makes a running one use the new unit file. */
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

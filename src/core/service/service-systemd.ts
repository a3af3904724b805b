import { shortenToLine } from "../shorten-to-line.ts";
import {
  type LoginOptions,
  loginRestarts,
  origins,
  type ServiceOptions,
  startLimitInterval,
} from "./service-options.ts";
import { servicePaths, unitName } from "./service-paths.ts";
import { systemdAssignment, systemdLine, systemdProgram, systemdWord } from "./service-quote.ts";

/** systemd kills the service when it sends no heartbeat for this long; the service sends three per interval. */
const hostWatchdogSeconds = 60;

export function systemdUnit(options: ServiceOptions): string {
  const { slug, restart, restartDelay } = options;
  const description = `Claude Code in ${shortenToLine(options.workspace, 80)} (ai-runtime ${slug})`;
  return unitText(origins.service, systemdLine(description, "the workspace"), options, [
    ...(options.resume ? hostLines(options) : claudeLines(options)),
    `Restart=${restart}`,
    `RestartSec=${seconds(restartDelay)}`,
    "KillMode=mixed",
    // Repairing a large transcript before the start takes long.
    "TimeoutStartSec=300",
    "TimeoutStopSec=30",
  ]);
}

/** Not of type oneshot: the login would wait for it, and before version 244 systemd could not restart it. */
export function systemdLoginUnit({ system, slug, places }: LoginOptions): string {
  const { wrapper, log } = servicePaths(system, slug, places);
  return unitText(origins.login, "Continue interrupted work of Claude Code (ai-runtime)", loginRestarts, [
    "Type=simple",
    startLine(wrapper),
    // What the recovery logs, it writes itself.
    "StandardOutput=null",
    `StandardError=${appendTo(log)}`,
    "UMask=0077",
    "Restart=on-failure",
    // Exit code 3: it is over, and some runs could not be continued.
    "RestartPreventExitStatus=3",
    `RestartSec=${seconds(loginRestarts.restartDelay)}`,
    // The runs that it has continued stay when it ends.
    "KillMode=process",
  ]);
}

/** A user unit. The start limit must be in [Unit]: systemd ignores it in [Service], and a crash loop would never end. */
function unitText(
  origin: string,
  description: string,
  limit: Pick<ServiceOptions, "burst" | "restartDelay">,
  service: readonly string[],
): string {
  const lines = [
    `# ${origin}`,
    "[Unit]",
    `Description=${description}`,
    `StartLimitIntervalSec=${seconds(startLimitInterval(limit))}`,
    `StartLimitBurst=${limit.burst}`,
    "",
    "[Service]",
    ...service,
    "",
    "[Install]",
    "WantedBy=default.target",
  ];
  return `${lines.join("\n")}\n`;
}

// /bin/sh starts the wrapper, because systemd accepts a path with quotes only as an argument, not as the program.
const startLine = (wrapper: string): string => `ExecStart=/bin/sh ${systemdWord(wrapper, "the path of the wrapper")}`;

function hostLines({ system, slug, places, watchdog }: ServiceOptions): string[] {
  const { wrapper, log } = servicePaths(system, slug, places);
  return [
    "Type=notify",
    "NotifyAccess=main",
    startLine(wrapper),
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

const outputLines = (log: string): string[] => [`StandardOutput=${appendTo(log)}`, `StandardError=${appendTo(log)}`];

const appendTo = (log: string): string => `append:${systemdLine(log, "the path of the log")}`;

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
  /** Starts nothing now. The last command fails when systemd does not have it. */
  installLogin: ({ slug }: LoginOptions): string[][] => [
    systemctl("daemon-reload"),
    systemctl("enable", unitName(slug)),
    forgetFailures(slug),
    systemctl("is-enabled", unitName(slug)),
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

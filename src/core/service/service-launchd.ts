import {
  type LoginOptions,
  loginRestarts,
  origins,
  type ServiceOptions,
  type ServicePlaces,
} from "./service-options.ts";
import { launchdLabel, servicePaths } from "./service-paths.ts";
import { xmlText } from "./service-quote.ts";

/** A launchd user agent. launchd waits at least ten seconds between two starts, so ThrottleInterval is never less. */
export function launchdPlist(options: ServiceOptions): string {
  const { system, slug, places, resume, claude, claudeArguments, workspace, environment } = options;
  const { wrapper, log } = servicePaths(system, slug, places);
  const program = resume ? ["/bin/sh", wrapper] : [claude ?? "claude", ...claudeArguments];
  // With the wrapper, these come from the service's record.
  const context: Entry[] = [entry("WorkingDirectory", workspace), ["EnvironmentVariables", dictionary(environment)]];
  const entries: Entry[] = [
    ["Label", [text(launchdLabel(slug), "the label")]],
    ["ProgramArguments", array(program)],
    ...(resume ? [] : context),
    ["RunAtLoad", ["<true/>"]],
    ["KeepAlive", options.restart === "always" ? ["<true/>"] : untilSuccess],
    ["ThrottleInterval", [`<integer>${Math.max(10, Math.ceil(options.restartDelay / 1000))}</integer>`]],
    ["ExitTimeOut", ["<integer>30</integer>"]],
    ["Umask", ["<integer>63</integer>"]],
    entry("StandardOutPath", log),
    entry("StandardErrorPath", log),
  ];
  return plistText(origins.service, entries);
}

export function launchdLoginPlist({ system, slug, places }: LoginOptions): string {
  const { wrapper, log } = servicePaths(system, slug, places);
  return plistText(origins.login, [
    ["Label", [text(launchdLabel(slug), "the label")]],
    ["ProgramArguments", array(["/bin/sh", wrapper])],
    ["RunAtLoad", ["<true/>"]],
    ["KeepAlive", untilSuccess],
    ["ThrottleInterval", [`<integer>${loginRestarts.restartDelay / 1000}</integer>`]],
    // The runs that it has continued stay when it ends.
    ["AbandonProcessGroup", ["<true/>"]],
    ["Umask", ["<integer>63</integer>"]],
    entry("StandardErrorPath", log),
  ]);
}

function plistText(origin: string, entries: readonly Entry[]): string {
  const lines = entries.flatMap(([key, value]) => [`<key>${key}</key>`, ...value]);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${origin} -->
<plist version="1.0">
<dict>
${lines.map((line) => `  ${line}\n`).join("")}</dict>
</plist>
`;
}

const untilSuccess = ["<dict>", "  <key>SuccessfulExit</key>", "  <false/>", "</dict>"];

type Entry = readonly [key: string, value: readonly string[]];

const text = (value: string, what: string): string => `<string>${xmlText(value, what)}</string>`;
const entry = (key: string, value: string): Entry => [key, [text(value, key)]];
const array = (words: readonly string[]): string[] => [
  "<array>",
  ...words.map((word) => `  ${text(word, "the argument")}`),
  "</array>",
];
const dictionary = (values: Readonly<Record<string, string>>): string[] => [
  "<dict>",
  ...Object.entries(values).flatMap(([name, value]) => [
    `  <key>${xmlText(name, "the variable")}</key>`,
    `  ${text(value, `the value of ${name}`)}`,
  ]),
  "</dict>",
];

const target = (slug: string, { userId }: ServicePlaces): string => `gui/${userId}/${launchdLabel(slug)}`;

export const launchdCommands = {
  install: ({ system, slug, places, installed }: LoginOptions): string[][] => [
    ...(installed ? launchdCommands.stop(slug, places) : []),
    ["launchctl", "enable", target(slug, places)],
    ["launchctl", "bootstrap", `gui/${places.userId}`, servicePaths(system, slug, places).unit],
  ],
  /** launchd starts it at once, too, but this boot counts as recovered. The last command fails when launchd does not have it. */
  installLogin: (options: LoginOptions): string[][] => [
    ...launchdCommands.install(options),
    launchdCommands.status(options.slug, options.places),
  ],
  stop: (slug: string, places: ServicePlaces): string[][] => [["launchctl", "bootout", target(slug, places)]],
  status: (slug: string, places: ServicePlaces): string[] => ["launchctl", "print", target(slug, places)],
};

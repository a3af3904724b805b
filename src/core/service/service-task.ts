import { Failure } from "../failure.ts";
import { type LoginOptions, loginRestarts, origins, type ServiceOptions } from "./service-options.ts";
import { servicePaths, taskName } from "./service-paths.ts";
import { windowsArgument, xmlText } from "./service-quote.ts";

export function taskXml(options: ServiceOptions): string {
  const { workspace, places } = options;
  const description = xmlText(`Claude Code in ${workspace} (ai-runtime)`, "the workspace");
  const action = options.resume ? wrapperAction(options) : claudeAction(options);
  return taskText(origins.service, description, { ...options, userName: places.userName }, action);
}

export function taskLoginXml(options: LoginOptions): string {
  const { userName } = options.places;
  const description = "Continue interrupted work of Claude Code (ai-runtime)";
  return taskText(origins.login, description, { ...loginRestarts, userName }, wrapperAction(options));
}

/** A task that runs at logon. The elements are in the order in which the Task Scheduler writes them. */
function taskText(
  origin: string,
  description: string,
  { userName, restartDelay, burst }: Pick<ServiceOptions, "restartDelay" | "burst"> & { readonly userName: string },
  action: readonly Element[],
): string {
  const user = xmlText(userName, "the user's name");
  // The scheduler accepts a restart interval from 1 minute to 31 days.
  const minutes = Math.min(44_640, Math.max(1, Math.ceil(restartDelay / 60_000)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${origin} -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${description}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${user}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${user}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <Hidden>true</Hidden>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT${minutes}M</Interval>
      <Count>${burst}</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
${action.map(([name, value]) => `      <${name}>${value}</${name}>\n`).join("")}    </Exec>
  </Actions>
</Task>
`;
}

type Element = [name: string, value: string];

function wrapperAction({ system, slug, places }: LoginOptions): Element[] {
  const { wrapper } = servicePaths(system, slug, places);
  return [["Command", xmlText(quotedPath(wrapper), "the path of the wrapper")]];
}

function claudeAction({ claude, claudeArguments, workspace }: ServiceOptions): Element[] {
  const words = claudeArguments.map((word) => windowsArgument(refuseVariables(word))).join(" ");
  return [
    ["Command", xmlText(quotedPath(claude ?? "claude.exe"), "the path of claude")],
    ...(words === "" ? [] : ([["Arguments", xmlText(words, "an argument")]] satisfies Element[])),
    ["WorkingDirectory", xmlText(refuseVariables(workspace), "the workspace")],
  ];
}

/** The scheduler expands `%…%` and `$(…)`, and has no way to escape them. */
function refuseVariables(text: string): string {
  if (!/%[^%]*%|\$\(/.test(text)) return text;
  throw new Failure(
    "usage",
    `${JSON.stringify(text)} cannot be written into a scheduled task: the Task Scheduler would expand it as a variable`,
    {
      hint: "Rename it, or use another path to it.",
    },
  );
}

function quotedPath(path: string): string {
  if (!path.includes('"')) return `"${refuseVariables(path)}"`;
  throw new Failure("usage", `${JSON.stringify(path)} is not a valid Windows path`);
}

export const taskCommands = {
  install: ({ system, slug, places, installed }: ServiceOptions): string[][] => [
    ...(installed ? [["schtasks", "/End", "/TN", taskName(slug)]] : []),
    ["schtasks", "/Create", "/TN", taskName(slug), "/XML", servicePaths(system, slug, places).unit, "/F"],
    ["schtasks", "/Run", "/TN", taskName(slug)],
  ],
  /** Starts nothing now. The last command fails when the scheduler does not have it. */
  installLogin: ({ system, slug, places }: LoginOptions): string[][] => [
    ["schtasks", "/Create", "/TN", taskName(slug), "/XML", servicePaths(system, slug, places).unit, "/F"],
    ["schtasks", "/Query", "/TN", taskName(slug)],
  ],
  stop: (slug: string): string[][] => [
    ["schtasks", "/End", "/TN", taskName(slug)],
    ["schtasks", "/Delete", "/TN", taskName(slug), "/F"],
  ],
  status: (slug: string): string[] => ["schtasks", "/Query", "/TN", taskName(slug), "/FO", "LIST", "/V"],
};

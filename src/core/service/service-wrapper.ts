import { type LoginOptions, origins, type ServiceOptions } from "./service-options.ts";
import { batchWord, shellWord } from "./service-quote.ts";

/**
 * The script that the system starts for a service. It passes only the service's name, which is safe in every format; ai-runtime
 * reads the rest from the service's record.
 */
export const wrapperText = (options: ServiceOptions): string =>
  scriptText({ ...options, origin: origins.service, words: ["service", "run", options.slug], variables: {} });

/** The script that the system starts at login. It sets the variables of the user that the recovered runs need. */
export const loginScriptText = (options: LoginOptions): string =>
  scriptText({
    ...options,
    origin: origins.login,
    words: ["recover", "--all", "--boot", "--quiet"],
    variables: options.environment,
  });

interface Script extends Pick<ServiceOptions, "system" | "executable" | "places" | "umask"> {
  readonly origin: string;
  /** Arguments of ai-runtime: safe in every format. */
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Sets XDG_STATE_HOME, because the system does not pass on the user's variables. */
const scriptText = (script: Script): string =>
  script.system === "windows" ? batchScript(script) : shellScript(script);

const variablesOf = ({ variables, places }: Script): [name: string, value: string, what: string][] => [
  ...Object.entries(variables).map(([name, value]): [string, string, string] => [name, value, `the value of ${name}`]),
  ["XDG_STATE_HOME", places.stateHome, "the state directory"],
];

function shellScript(script: Script): string {
  const { origin, executable, words, umask } = script;
  const settings = variablesOf(script).flatMap(([name, value, what]) => [
    `${name}=${shellWord(value, what)}`,
    `export ${name}`,
  ]);
  const lines = [
    "#!/bin/sh",
    `# ${origin}`,
    ...settings,
    "unset BUN_OPTIONS BUN_BE_BUN",
    `umask ${umask.toString(8).padStart(4, "0")}`,
    `exec ${shellWord(executable, "the path of ai-runtime")} ${words.join(" ")}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

// `chcp 65001` makes cmd read non-ASCII paths as UTF-8. `exit` passes on the exit code.
function batchScript(script: Script): string {
  const { origin, executable, words } = script;
  const lines = [
    "@echo off",
    `rem ${origin}`,
    "chcp 65001 >nul",
    ...variablesOf(script).map(([name, value, what]) => `set ${batchWord(`${name}=${value}`, what)}`),
    "set BUN_OPTIONS=",
    "set BUN_BE_BUN=",
    `${batchWord(executable, "the path of ai-runtime")} ${words.join(" ")}`,
    "exit /b %ERRORLEVEL%",
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

import { DemoClaude, demoVersion } from "../../../app/demo/demo-claude.ts";
import { currentEnvironment } from "../../../app/environment.ts";
import { readTaskFromStdin } from "../../../app/run/task-from-stdin.ts";

/** Internal: the demo starts it instead of claude. */
export async function runDemoClaude(argv: string[]): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (argv[0] === "--version") return print(`${demoVersion} (scripted, for the demo)`);
  const exit = await new DemoClaude(currentEnvironment(process.env), argv, print).play(
    (await readTaskFromStdin()) ?? "",
  );
  if (exit === "crash") process.kill(process.pid, "SIGKILL");
  else process.exitCode = exit.exitCode;
}

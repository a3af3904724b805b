import { currentEnvironment, hostVariable } from "../../app/environment.ts";
import { findMoved, rehomeCommand } from "../../app/session/find-moved.ts";
import { oneLine } from "../one-line.ts";

/** Before claude looks for conversations in vain. Inside a host, the process that started the host has said it. */
export async function announceMoved(): Promise<void> {
  const environment = currentEnvironment(process.env);
  if (environment.variables[hostVariable] !== undefined) return;
  const moved = await findMoved(environment, environment.cwd);
  if (!moved) return;
  const what = `this project was at ${oneLine(moved.from)} before; its earlier conversations follow with:`;
  process.stderr.write(`cclaude: ${what} ${rehomeCommand(moved)}\n`);
}

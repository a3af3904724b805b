import { parseStatusLine, type StatusLineInput } from "../claude/status-line.ts";
import { isSessionId } from "../core/session-id.ts";
import { quickFacts } from "../io/quick-look.ts";
import { readStdin } from "../io/read-stdin.ts";
import { runShell } from "../io/run-shell.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import { currentEnvironment, type Environment } from "./environment.ts";

export interface StatusLine {
  /** What the user's own status line command printed, to the letter; undefined when there is none or it failed. */
  chained: string | undefined;
  input: StatusLineInput | undefined;
  /** How long ago this directory's checkpoint was saved, in milliseconds. */
  savedAgo: number | undefined;
  now: number;
  /** To be called when everything is printed: keeps the figures, and saves near the cap. */
  record: () => Promise<void>;
}

/** Claude waits for it at every message. */
const chainPatience = 3_000;

export async function readStatusLine(
  variables: Record<string, string | undefined>,
  chain: string | undefined,
): Promise<StatusLine> {
  const environment = currentEnvironment(variables);
  const stdin = await readStdin({ bytes: 10_000_000, milliseconds: 2_000 });
  const text = stdin.kind === "text" ? stdin.text : "";
  const parsed = parseStatusLine(text);
  const input = parsed && isSessionId(parsed.sessionId) ? parsed : undefined;
  const [chained, savedAgo] = await Promise.all([
    // As Claude starts it: by a shell, with the same input.
    chain === undefined ? undefined : runShell(chain, { variables, milliseconds: chainPatience, stdin: text }),
    input && ageOfCheckpoint(environment, input),
  ]);
  const record = (): Promise<void> => (input ? keep(environment, input) : Promise.resolve());
  return { chained, input, savedAgo, now: environment.now(), record };
}

async function ageOfCheckpoint(environment: Environment, input: StatusLineInput): Promise<number | undefined> {
  if (input.directory === undefined) return undefined;
  const { memory } = placesOfSession(environment, input.transcriptPath, input.directory);
  try {
    const facts = await quickFacts(`${memory}/checkpoint.json`);
    return facts && Math.max(0, environment.now() - facts.modified);
  } catch {
    return undefined;
  }
}

async function keep(environment: Environment, input: StatusLineInput): Promise<void> {
  try {
    await (await import("./near-cap.ts")).recordUsage(environment, input);
  } catch (error) {
    (await import("./hook-log.ts")).logProblem(environment, error instanceof Error ? error.message : String(error));
  }
}

import { examineClaude } from "./doctor-claude.ts";
import { examineHooks } from "./doctor-hooks.ts";
import { examineLeftovers } from "./doctor-leftovers.ts";
import { examinePath } from "./doctor-path.ts";
import { examinePlaces } from "./doctor-places.ts";
import { examineSelf } from "./doctor-self.ts";
import { examineTranscripts } from "./doctor-transcripts.ts";
import type { Environment } from "./environment.ts";
import { broken, type Finding } from "./finding.ts";
import { readStatus } from "./status.ts";

/** Looks at everything that has to be right on this machine. Changes nothing of the user's. */
export async function examine(environment: Environment): Promise<Finding[]> {
  const status = await readStatus(environment);
  const parts: [name: string, part: () => Promise<Finding[]> | Finding[]][] = [
    ["claude", () => examineClaude(status)],
    ["hooks", () => examineHooks(environment, status)],
    ["PATH", () => examinePath(environment)],
    // Before the self-test: that makes our directory, and puts its mode right.
    ["places", () => examinePlaces(environment)],
    ["self-test", () => examineSelf(environment)],
    ["transcripts", () => examineTranscripts(environment, status)],
    ["leftovers", () => examineLeftovers(environment, status)],
  ];
  const findings: Finding[] = [];
  for (const [name, part] of parts) findings.push(...(await completed(name, part)));
  return findings;
}

/** What cannot even be looked at is a finding too, and the rest is looked at all the same. */
async function completed(name: string, part: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await part();
  } catch (error) {
    return [broken(name, error instanceof Error ? error.message : String(error), null)];
  }
}

import { readFileSync } from "node:fs";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { until } from "../until.ts";

/** Waits until a transcript of the sandbox contains the text, in any record. */
export const untilTranscript = (sandbox: Sandbox, text: string): Promise<void> =>
  untilLine(sandbox, (line) => line.includes(text), text);

/** Waits until a transcript has this prompt. Recent clients write its words into other records first. */
export const untilPrompted = (sandbox: Sandbox, prompt: string): Promise<void> =>
  untilLine(sandbox, (line) => line.includes(prompt) && line.includes('"role":"user"'), `the prompt ${prompt}`);

async function untilLine(sandbox: Sandbox, isExpected: (line: string) => boolean, what: string): Promise<void> {
  const look = async (): Promise<boolean> =>
    (await sandbox.transcripts()).some((path) => readFileSync(path, "utf8").split("\n").some(isExpected));
  await until(look, `a transcript with ${what}`);
}

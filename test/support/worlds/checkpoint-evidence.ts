// Shared by the tests of checkpoints: merging with few words, and any evidence that the hooks may record.
import fc from "fast-check";
import type { Checkpoint } from "../../../src/core/checkpoint/checkpoint.ts";
import { type Evidence, mergeSighting } from "../../../src/core/checkpoint/checkpoint-merge.ts";
import { mergeSave, type Words } from "../../../src/core/checkpoint/checkpoint-save.ts";

const directory = "/p";

export function see(before: Checkpoint | undefined, now: number, evidence: Evidence[], sessionId = "s"): Checkpoint {
  return mergeSighting(before, { sessionId, directory, reason: "test", now, evidence }).checkpoint;
}

export function save(
  before: Checkpoint | undefined,
  now: number,
  words: Words,
  sessionId: string | null = "s",
): Checkpoint {
  return mergeSave(before, { by: "claude", sessionId, directory, now, words }).checkpoint;
}

export const prompt = (text: string): Evidence => ({ kind: "prompt", text });
export const edit = (file: string): Evidence => ({ kind: "edit", file });
export const commit = (text: string): Evidence => ({ kind: "done", text });

const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({ kind: fc.constant("prompt" as const), text: fc.string() }),
  fc.record({ kind: fc.constant("edit" as const), file: fc.string() }),
  fc.record({ kind: fc.constant("done" as const), text: fc.string() }),
  fc.record({ kind: fc.constant("answer" as const), message: fc.option(fc.string()) }),
  fc.record({ kind: fc.constant("failure" as const), error: fc.string(), message: fc.option(fc.string()) }),
  fc.record({ kind: fc.constant("near-cap" as const), text: fc.string() }),
  fc.record({
    kind: fc.constant("tasks" as const),
    tasks: fc.array(
      fc.record({
        id: fc.string(),
        subject: fc.string(),
        status: fc.constantFrom("pending" as const, "in_progress" as const, "completed" as const),
      }),
    ),
  }),
);
export const history = fc.array(evidence, { maxLength: 12 });
const sentence = fc.stringMatching(/^[a-z]+( [a-z]+){0,4}$/);
export const words = fc.record({
  goal: sentence,
  next: sentence,
  blocker: sentence,
  done: fc.array(sentence, { maxLength: 5 }),
});

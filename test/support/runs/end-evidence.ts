import type { EndEvidence } from "../../../src/core/restart/cause.ts";

/** A `claude -p` that failed with exit code 1 after some work, without saying why. */
export const failedEvidence: EndEvidence = {
  exitCode: 1,
  signal: null,
  stopAsked: false,
  interactive: false,
  hooksSeen: true,
  endReason: "other",
  failure: null,
  finalError: null,
  resumable: true,
  progress: true,
  snapshotAge: 60_000,
  growth: 10_000,
  contextTokens: 50_000,
};

// Makes a real client tell Claude to wrap up near a usage limit, which Anthropic enables per account.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** A reply's usage above the threshold of 95 %; the client notes it before its next request. */
export const nearLimit = { utilization: 0.97, surpassedThreshold: 0.9 };

/** Caches the feature flags as a client with network access would; returns the variables with which the client reads them. */
export function enableWrapUp({ home }: Sandbox): Readonly<Record<string, undefined>> {
  const flags = { tengu_lantern_wick_mode: "next-steps", tengu_vellum_anchor: true, tengu_lantern_wick_braid: true };
  const at = Date.now();
  const cached = { cachedGrowthBookFeatures: flags, cachedGrowthBookFeaturesAt: at };
  const file = join(home, ".claude.json");
  const state = { ...readState(file), ...cached, cachedFeatureFlags: flags, cachedFeatureFlagsAt: at };
  writeFileSync(file, JSON.stringify(state));
  return { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: undefined, DISABLE_TELEMETRY: undefined };
}

function readState(file: string): object {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as object;
  } catch {
    return {};
  }
}

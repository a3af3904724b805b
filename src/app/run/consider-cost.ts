import { type ColdChoice, decideColdResume } from "../../core/cost/cold-resume.ts";
import type { ColdResume } from "../cost/cold-resume.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import type { RunView } from "./run-events.ts";

export type Consent = { readonly kind: "continue" | "stop" } | { readonly kind: "restore"; readonly maxTokens: number };

/** Shows what a resume costs after the prompt cache has expired, and asks the user where the settings say so. */
export async function considerCost(
  environment: Environment,
  view: RunView,
  cold: ColdResume,
  transcriptPath: string,
): Promise<Consent> {
  const estimate = cold.assess(transcriptPath);
  if (!estimate) return { kind: "continue" };
  const { maxColdTokens, coldResume } = loadSettings(environment).settings;
  const decided = decideColdResume(estimate, { maxColdTokens, coldResume, canAsk: view.ask !== undefined });
  view.show({ kind: "cold-resume", ...estimate });
  const choice: Exclude<ColdChoice, "ask"> | "stop" =
    decided === "ask" ? ((await view.ask?.(maxColdTokens)) ?? "continue") : decided;
  return choice === "restore" ? { kind: choice, maxTokens: maxColdTokens } : { kind: choice };
}

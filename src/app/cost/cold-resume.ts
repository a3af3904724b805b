import { checkpointsDirectory } from "../../claude/paths.ts";
import { readFirstCost, readLastRequest } from "../../claude/transcript/request-cost.ts";
import type { Usage } from "../../core/checkpoint/usage.ts";
import { type ColdEstimate, estimateColdResume, learnCost, usageGrowth } from "../../core/cost/cold-resume.ts";
import { readRange, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { readUsageState } from "../../store/checkpoints/usage-state.ts";
import { readCostModel, writeCostModel } from "../../store/cost/cost-model.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";

/** What a cold resume was estimated to cost, and what it did. */
export interface SettledCost {
  readonly estimated: number;
  readonly real: number;
}

/** The first answer of a resumed conversation is within so many bytes. */
const maxAnswerBytes = 4_000_000;

interface Assessed {
  readonly size: number;
  readonly estimate: ColdEstimate;
  /** Before the correction by what was learned. */
  readonly raw: number;
  readonly before: Usage["five_hour"];
  /** Milliseconds since 1970. */
  readonly assessedAt: number;
}

const rootOf = ({ variables, home }: Environment): string => runRoot(variables, home);

function look(environment: Environment, transcriptPath: string): Assessed | undefined {
  return withFile(transcriptPath, ({ fd, size }) => {
    const last = readLastRequest(linesBackwards(fd, size));
    const { claudeConfig, now } = environment;
    const estimate = last && estimateColdResume(last, readCostModel(rootOf(environment)), now());
    if (!estimate) return undefined;
    const before = readUsageState(checkpointsDirectory(claudeConfig))?.usage.five_hour;
    return { size, estimate, raw: last.tokens, before, assessedAt: now() };
  });
}

/** What a resume of this conversation would cost now. Undefined while the prompt cache is warm, and when nothing is known. */
export const estimateCold = (environment: Environment, transcriptPath: string): ColdEstimate | undefined =>
  look(environment, transcriptPath)?.estimate;

/** Estimates what the resume of a conversation costs, and learns from what it really cost. Best effort. */
export class ColdResume {
  readonly #environment: Environment;
  readonly #root: string;
  #assessed: Assessed | undefined;
  #after: Usage["five_hour"];

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#root = rootOf(environment);
  }

  /** Undefined while the prompt cache is warm, and when nothing is known. Call it right before the resume. */
  assess(transcriptPath: string): ColdEstimate | undefined {
    this.#assessed = bestEffort(this.#environment, () => look(this.#environment, transcriptPath), undefined);
    this.#after = undefined;
    return this.#assessed?.estimate;
  }

  /** The first report after the resume shows what it cost. */
  onUsage(usage: Usage): void {
    this.#after ??= usage.five_hour;
  }

  /** Reads what the first request really cost, and corrects later estimates. */
  settle(transcriptPath: string): SettledCost | undefined {
    const assessed = this.#assessed;
    this.#assessed = undefined;
    if (!assessed) return undefined;
    return bestEffort(this.#environment, () => this.#learn(transcriptPath, assessed), undefined);
  }

  #learn(transcriptPath: string, { size: from, raw, estimate, before, assessedAt }: Assessed): SettledCost | undefined {
    const real = withFile(transcriptPath, ({ fd, size }) => {
      const bytes = readRange(fd, Math.min(from, size), Math.min(size, from + maxAnswerBytes));
      return readFirstCost(new TextDecoder().decode(bytes).split("\n"));
    });
    if (real === undefined) return undefined;
    const percent = usageGrowth(before, this.#after, assessedAt);
    writeCostModel(this.#root, learnCost(readCostModel(this.#root), { estimated: raw, real, percent }));
    return { estimated: estimate.tokens, real };
  }
}

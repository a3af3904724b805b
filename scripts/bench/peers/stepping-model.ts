import { callsTool, failure, hangs, says, type Answer, type Reply } from "../../../test/support/anthropic/replies.ts";
import type { RecordedRequest } from "../../../test/support/anthropic/recorded-request.ts";
import { type Story, story } from "../../../test/support/anthropic/scenario.ts";
import type { ClaudeVersion } from "../../../test/support/sandbox/claude-versions.ts";
import type { Scenario } from "./scenarios.ts";

export const steps = ["one", "two", "three"] as const;

/** What a step prints. The command does not contain it, so only a result, or words about it, tell the model that it is done. */
const printed = (number: number): string => `finished-${number}`;
const commandOf = (number: number): string =>
  `echo ${steps[number - 1]} >> steps.txt; printf 'finished-%s\\n' ${number}`;

/** At least so long from the limit to its reset. */
const minWaitMs = 8_000;
const minuteMs = 60_000;

/** Older clients state it in words, to the minute: only a reset at a whole minute shows how soon they continue after it. */
function chooseReset(client: ClaudeVersion): number {
  const reset = Date.now() + minWaitMs;
  return client === "2.1.326" ? 1_000 * Math.ceil(reset / 1_000) : minuteMs * Math.ceil(reset / minuteMs);
}

/** A model that does the first step whose end it does not see in its conversation, and plays the refusals after the first one. */
export class SteppingModel {
  readonly story: Story;
  /** Resolves with the time of the request after the first step, in milliseconds since 1970. */
  readonly firstStepDone: Promise<number>;
  /** Resolves when it has said that all is done. */
  readonly finished: Promise<void>;
  readonly #refusals: Reply[];
  readonly #hangsOnce: boolean;
  readonly #client: ClaudeVersion;
  readonly #isLimit: boolean;
  /** Milliseconds since 1970; undefined before the limit is reached. */
  #resetsAt: number | undefined;
  readonly #firstStep = Promise.withResolvers<number>();
  readonly #end = Promise.withResolvers<void>();
  #hasHung = false;

  constructor({ refusals, fault, isLimit }: Scenario, client: ClaudeVersion) {
    this.#client = client;
    this.#isLimit = isLimit === true;
    this.#refusals = [...refusals];
    this.#hangsOnce = fault === "kill-claude" || fault === "kill-all";
    this.firstStepDone = this.#firstStep.promise;
    this.finished = this.#end.promise;
    this.story = story().answers((request) => this.#answer(request), { times: Infinity });
  }

  #answer({ conversationText }: RecordedRequest): Answer | Reply {
    const next = steps.findIndex((_, index) => !conversationText.includes(printed(index + 1))) + 1;
    if (next === 2) {
      this.#firstStep.resolve(Date.now());
      const refusal = this.#refusals.shift() ?? this.#limit();
      if (refusal) return refusal;
      if (this.#hangsOnce && !this.#hasHung) {
        this.#hasHung = true;
        return hangs();
      }
    }
    if (next > 0) return callsTool("Bash", { command: commandOf(next) });
    this.#end.resolve();
    return says("All done.");
  }

  #limit(): Reply | undefined {
    if (!this.#isLimit) return undefined;
    this.#resetsAt ??= chooseReset(this.#client);
    return Date.now() < this.#resetsAt ? failure.limit({ resetsAt: this.#resetsAt / 1_000 }) : undefined;
  }
}

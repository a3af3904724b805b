import type { Usage } from "../../core/checkpoint/usage.ts";
import type { ErrorFacts } from "../limits/api-error.ts";
import type { AttemptEvidence } from "./attempt-end.ts";
import { BackgroundTasks } from "./background-tasks.ts";
import type { StreamEvent, StreamResult } from "./stream.ts";

type FromStream = Omit<AttemptEvidence, "exitCode" | "signal" | "usageResetsAt" | "ending">;

/** Collects from one attempt's stream what decides about its end. */
export class AttemptReader {
  readonly #tasks = new BackgroundTasks();
  #began = false;
  #result: StreamResult | undefined;
  #pending: readonly string[] = [];
  #failure: ErrorFacts | undefined;
  #limit: { readonly resetsAt: number | undefined } | undefined;
  #hookReason: string | undefined;
  #usage: Usage = {};
  #costUsd = 0;

  take(event: StreamEvent): void {
    this.#tasks.take(event);
    if (continuesTurn(event)) this.#result = undefined;
    switch (event.kind) {
      case "init":
        this.#began = true;
        break;
      case "text":
      case "tool":
        if (!event.bySubagent) this.#forgetFailure();
        break;
      case "usage":
        this.#usage = { ...this.#usage, ...event.usage };
        break;
      case "limit":
        this.#limit = event;
        break;
      case "failure":
        this.#failure = event.facts;
        break;
      case "hook-stop":
        this.#hookReason = event.reason;
        break;
      case "result":
        this.#result = event;
        this.#pending = this.#tasks.running;
        this.#costUsd = event.isTotalCost ? event.costUsd : this.#costUsd + event.costUsd;
        break;
    }
  }

  get evidence(): FromStream {
    return {
      began: this.#began,
      result: this.#result,
      pending: this.#result ? this.#pending : this.#tasks.running,
      failure: this.#failure,
      limitResetsAt: this.#limit?.resetsAt,
      hookReason: this.#hookReason,
    };
  }

  /** The account's usage, as the stream reported it. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Of this process so far. */
  get costUsd(): number {
    return this.#costUsd;
  }

  /** Claude answered, so it got over an earlier failure. */
  #forgetFailure(): void {
    this.#failure = undefined;
    this.#limit = undefined;
  }
}

/** While the process lives, a result is not the end: Claude answers the notice of a background task in another turn. */
const continuesTurn = (event: StreamEvent): boolean =>
  event.kind === "init" || event.kind === "text" || event.kind === "tool" || event.kind === "failure";

import type { Cause } from "../core/ending.ts";

/** What cclaude has to say, and nothing of how: one line each. */
export type Note =
  | {
      readonly kind: "resuming";
      readonly cause: "crash" | "server";
      readonly sessionId: string;
      readonly delay: number;
      readonly how: string;
    }
  | { readonly kind: "restored"; readonly sessionId: string; readonly mark: number; readonly time: number }
  | { readonly kind: "waiting"; readonly sessionId: string; readonly until: number; readonly known: boolean }
  | { readonly kind: "not-waiting"; readonly sessionId: string; readonly until: number; readonly known: boolean }
  | { readonly kind: "stopped-waiting"; readonly sessionId: string }
  | { readonly kind: "continuing"; readonly sessionId: string }
  | { readonly kind: "gave-up"; readonly cause: Cause; readonly sessionId: string }
  | { readonly kind: "no-restore-point"; readonly sessionId: string }
  | { readonly kind: "went-on-elsewhere"; readonly sessionId: string }
  | { readonly kind: "repaired"; readonly sessionId: string }
  | { readonly kind: "help"; readonly cause: "authentication" | "billing" | "not-started"; readonly exitCode: number }
  | { readonly kind: "trouble"; readonly message: string };

export interface Talk {
  say(note: Note): void;
  /** Shows how long it still takes; undefined where nobody would see it. */
  countdown(until: number): Countdown | undefined;
}

export interface Countdown {
  tick(left: number): void;
  /** Takes it away again. */
  end(reached: boolean): void;
}

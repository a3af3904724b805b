import { textHash } from "../../io/files/text-hash.ts";
import { readText } from "../../io/files/read-file.ts";
import { bootId } from "../../io/system.ts";
import { readBoot } from "../../store/runs/boot-record.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { tryCommand } from "../service/service-commands.ts";
import { planAtLogin, readAtLogin, recoveryHasEnded } from "./at-login.ts";

/** What the start at login did in the present boot. `since`: in milliseconds since 1970. */
export type BootOutcome =
  | { readonly kind: "not-run" }
  /** It waits for the end of quiet hours, or continues runs now. */
  | { readonly kind: "at-work" }
  | { readonly kind: "killed"; readonly since: number }
  /** Continued nothing: it was installed in this boot, or nothing was interrupted. */
  | {
      readonly kind: "done";
      readonly since: number;
      readonly continued: number;
      readonly failed: number;
      readonly left: number;
    };

export interface AtLoginFacts {
  /** Files of it that are missing, and files that the user or another program has changed since the install. */
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  /** Why the system does not have it; null when it does. */
  readonly refusal: string | null;
  readonly boot: BootOutcome;
}

/** The state of the start at login; undefined when it is not installed. Changes nothing. */
export async function inspectAtLogin(environment: Environment): Promise<AtLoginFacts | undefined> {
  const record = readAtLogin(environment);
  if (!record) return undefined;
  const present = record.files.map(({ path, hash }) => ({ path, hash, text: readText(path) }));
  // The last command of an install asks the system whether it has it.
  const question = planAtLogin(environment, []).commands.at(-1) ?? [];
  return {
    missing: present.filter(({ text }) => text === undefined).map(({ path }) => path),
    changed: present.filter(({ text, hash }) => text !== undefined && textHash(text) !== hash).map(({ path }) => path),
    refusal: (await tryCommand(environment, question)) ?? null,
    boot: outcomeOf(environment),
  };
}

function outcomeOf(environment: Environment): BootOutcome {
  if (!recoveryHasEnded(environment)) return { kind: "at-work" };
  const boot = readBoot(runPathsOf(environment));
  if (boot?.bootId !== bootId()) return { kind: "not-run" };
  const { state, time: since, taken, failed = [], left = [] } = boot;
  if (state === "begun") return { kind: "killed", since };
  // What failed had been taken before.
  return { kind: "done", since, continued: taken.length - failed.length, failed: failed.length, left: left.length };
}

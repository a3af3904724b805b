import { has, isText, isTime } from "../../core/check-record.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import { withLock } from "../lock.ts";
import type { RunPaths } from "./run-paths.ts";

/** `limits.json`: the usage limit that one run has found, for the other runs, by account. */
interface KnownLimits {
  version: 1;
  accounts: Record<string, { until: number; run: string; time: number }>;
}

/** When the known limit of the account ends; undefined when there is none, or none is known. */
export function readKnownLimit(paths: RunPaths, account: string, now: number): number | undefined {
  const until = read(paths)[account]?.until;
  return until !== undefined && until > now ? until : undefined;
}

/** A later report replaces an earlier one. */
export async function tellLimit(
  paths: RunPaths,
  account: string,
  limit: { readonly until: number; readonly run: string; readonly time: number },
): Promise<void> {
  await change(paths, (accounts) => ({ ...accounts, [account]: limit }), limit.time);
}

/** An answer came, so the limit is over. */
export async function forgetLimit(paths: RunPaths, account: string, now: number): Promise<void> {
  if (readKnownLimit(paths, account, now) === undefined) return;
  const forget = (accounts: Accounts): Accounts =>
    Object.fromEntries(Object.entries(accounts).filter(([key]) => key !== account));
  await change(paths, forget, now);
}

type Accounts = KnownLimits["accounts"];

async function change(paths: RunPaths, edit: (accounts: Accounts) => Accounts, now: number): Promise<void> {
  makeDirectory(paths.locks);
  const write = (): void => {
    const edited = Object.entries(edit(read(paths))).filter(([, { until }]) => until > now);
    const limits: KnownLimits = { version: 1, accounts: Object.fromEntries(edited) };
    replaceFile(paths.limits, `${JSON.stringify(limits)}\n`);
  };
  // Best effort: the lock holder writes the same value. Skipping costs one extra request.
  await withLock(`${paths.locks}/limits.lock`, write, { waitMilliseconds: 1_000 });
}

const isLimit = has({ until: isTime, run: isText, time: isTime });

/** Skips invalid entries: the next limit rewrites the file. */
function read(paths: RunPaths): Accounts {
  let accounts: Accounts = {};
  try {
    const value = JSON.parse(readText(paths.limits) ?? "null") as Partial<KnownLimits> | null;
    if (value?.version === 1) accounts = value.accounts ?? {};
  } catch {
    // No limit is known.
  }
  return Object.fromEntries(Object.entries(accounts).filter(([, limit]) => isLimit(limit)));
}

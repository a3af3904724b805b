// Three machines, many sessions, and everything fails at random: nothing acknowledged is lost, and there is one writer.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Chaos } from "../support/hub/chaos.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";
import { readFromHub } from "../support/hub/read-hub.ts";

/** `bun run test:hub` plays long; HUB_SEED repeats a run, HUB_STEPS sets its length. */
const inFull = process.env["HUB"] === "full";
const seed = Number(process.env["HUB_SEED"] ?? (inFull ? Date.now() % 1_000_000 : 20_261_118));
const extent = inFull ? { sessions: 40, steps: Number(process.env["HUB_STEPS"] ?? 1_500) } : { sessions: 3, steps: 80 };
if (inFull) setDefaultTimeout(3_600_000);

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

interface JournalRow {
  subject: string;
  what: "write" | "take";
  machine: string;
  fence: number;
  seq: number;
}

test(`chaos with ${extent.sessions} sessions and ${extent.steps} steps, seed ${seed}`, async () => {
  using chaos = await Chaos.start(postgres, { seed, sessions: extent.sessions });
  await chaos.play(extent.steps);
  expect(chaos.acknowledged.length).toBeGreaterThan(extent.steps / 10);
  // Quiet again: every machine catches up.
  for (const machine of chaos.machines) await machine.succeed(["hub", "sync"]);

  const lost = chaos.acknowledged.filter((each) => {
    const { current, past } = chaos.kept(each);
    return !current.includes(each.word) && !past.some(({ text }) => text.includes(each.word));
  });
  expect(lost.map(({ session, word }) => `${session} ${word}`)).toEqual([]);
  // What is no longer in the conversation is in a generation that says why.
  const unnamed = chaos.acknowledged.filter((each) => {
    const { current, past } = chaos.kept(each);
    return (
      !current.includes(each.word) && !past.some(({ why, text }) => why === "diverged" && text.includes(each.word))
    );
  });
  expect(unnamed.map(({ session, word }) => `${session} ${word}`)).toEqual([]);

  const journal = await postgres.query<JournalRow>(
    "SELECT subject, what, machine::text AS machine, fence::int AS fence, seq::int AS seq FROM ai_runtime.journal ORDER BY n",
    chaos.database,
  );
  expect(journal.length).toBeGreaterThan(extent.steps / 10);
  expect(breaksOfOneWriter(journal)).toEqual([]);
  for (const session of chaos.sessions) await readFromHub(chaos.machines[0] ?? fail(), session);
  const takes = journal.filter(({ what }) => what === "take").length;
  const { acknowledged, counts } = chaos;
  const diverged = acknowledged.filter((each) => !chaos.kept(each).current.includes(each.word)).length;
  console.log(JSON.stringify({ seed, ...counts, acknowledged: acknowledged.length, takes, diverged }));
  // Otherwise the steps did not try what they should.
  expect([takes > 0, diverged > 0]).toEqual([true, true]);
});

const fail = (): never => {
  throw new Error("no machine");
};

/** Every fencing number belongs to one machine, numbers never go back, and every write has the next sequence number. */
function breaksOfOneWriter(journal: readonly JournalRow[]): string[] {
  const last = new Map<string, JournalRow>();
  return journal.flatMap((row) => {
    const before = last.get(row.subject);
    last.set(row.subject, row);
    const isNext = row.what === "take" ? row.fence === (before?.fence ?? 0) + 1 : row.fence === (before?.fence ?? 1);
    const isSameWriter = row.what === "take" || before === undefined || before.machine === row.machine;
    const isInOrder = row.seq === (before?.seq ?? 0) + (row.what === "write" ? 1 : 0);
    return isNext && isSameWriter && isInOrder ? [] : [JSON.stringify({ before, row })];
  });
}

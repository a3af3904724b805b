// 200 facts in conversations that were compacted, restored to an earlier point, or deleted: a search finds each of them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { search } from "../../../src/app/search/search.ts";
import { maintain } from "../../../src/app/maintenance/maintain.ts";
import { takeSnapshot } from "../../../src/app/snapshot/take-snapshot.ts";
import { restoreSession } from "../../../src/app/snapshot/restore.ts";
import { ageSnapshot } from "../../support/worlds/age-snapshot.ts";
import { type Said, SearchWorld } from "../../support/worlds/search-world.ts";
import { isPacked } from "../../support/worlds/maintenance.ts";

setDefaultTimeout(120_000);

const subjects = ["staging database", "billing webhook", "login redirect", "image cache", "release branch"];
const verbs = ["listens on", "must retry after", "was moved to", "fails without", "is limited to"];
const objects = ["port", "seconds", "directory", "flag", "requests"];
const sessions = 40;
const factsPerSession = 5;

interface Fact {
  readonly session: string;
  readonly sentence: string;
  /** What a user remembers of it: words that many other facts have as well, and one detail. */
  readonly query: string;
}

/** Facts share all words but the detail, and every conversation talks about the same subjects. */
function factOf(session: string, number: number): Fact {
  const pick = (words: readonly string[], step: number): string =>
    words[Math.floor(number / step) % words.length] ?? "";
  const [subject, verb, object] = [pick(subjects, 1), pick(verbs, 5), pick(objects, 25)];
  const detail = 4_000 + number * 7;
  const sentence = `The ${subject} ${verb} ${object} ${detail}.`;
  return { session, sentence, query: `${subject} ${detail}` };
}

const idOf = (number: number): string => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;

function chatter(seed: number): Said[] {
  const talk = subjects
    .map((subject, at) => `I look at the ${subject} again, step ${(seed * 31 + at) % 97}. `)
    .join("");
  return [
    { claude: talk.repeat(3) },
    { command: `grep -rn "${subjects[seed % 5]}" src`, output: talk.repeat(8), exit: seed % 3 },
  ];
}

const sayFact = ({ sentence }: Fact, kind: number): Said =>
  kind === 0
    ? { user: sentence }
    : kind === 1
      ? { claude: `I found it. ${sentence}` }
      : { command: `./inspect --note '${sentence}'`, output: `${"line\n".repeat(20)}${sentence}` };

test("each of 200 facts is among the first three hits", async () => {
  using world = new SearchWorld();
  const environment = currentEnvironment(world.env);
  const snapshot = (sessionId: string): void => {
    takeSnapshot(environment, { sessionId, transcriptPath: world.transcript(sessionId), reason: "test" });
  };
  const facts: Fact[] = [];
  for (let number = 0; number < sessions; number++) {
    const id = idOf(number);
    const own = Array.from({ length: factsPerSession }, (_, at) => factOf(id, number * factsPerSession + at));
    facts.push(...own);
    const said = own.flatMap((fact, at) => [...chatter(number + at), sayFact(fact, at % 3)]);
    const ago = number % 20;
    world.say(id, [{ user: `Work on task ${number}` }, ...chatter(number)], { ago });
    snapshot(id);
    world.say(id, said, { ago });
    if (number % 4 === 0) world.say(id, [{ compacted: "All is well." }, ...chatter(number)], { ago });
    snapshot(id);
    if (number % 4 === 1)
      await restoreSession(environment, { sessionId: id, choice: { kind: "number", n: 1 }, force: false });
    if (number % 4 >= 2) rmSync(world.transcript(id));
    if (number % 4 === 3) ageSnapshot(world.files.root, id, 20);
  }
  world.say(idOf(sessions), [{ user: "something newer" }]);
  snapshot(idOf(sessions));
  maintain(environment);
  expect(isPacked(world, idOf(3))).toBe(true);

  const missed: Fact[] = [];
  for (const fact of facts) {
    const { results } = await search(environment, { words: fact.query, limit: 3 });
    const isFound = results.some(
      ({ session, snippet }) => session === fact.session && snippet.text.includes(fact.sentence.slice(4, -1)),
    );
    if (!isFound) missed.push(fact);
  }
  expect(facts).toHaveLength(200);
  expect(missed).toEqual([]);
});

const common = ["cache", "timeout", "deploy", "router", "schema", "worker", "queue", "header"];
const triples = common.flatMap((a, i) =>
  common.slice(i + 1).flatMap((b, j) => common.slice(i + j + 2).map((c) => [a, b, c] as const)),
);

/** All common words, each far from the others: every query of this test finds it. */
const log = (seed: number): string =>
  common.map((_, at) => `${common[(at + seed) % common.length]} ${"something else entirely ".repeat(12)}`).join("\n");

test("a fact of common words is among the first three hits, although many newer texts have all of its words", async () => {
  using world = new SearchWorld();
  const environment = currentEnvironment(world.env);
  const sentenceOf = ([a, b, c]: (typeof triples)[number]): string => `The ${a} needs the ${b} before the ${c}.`;
  for (const [number, triple] of triples.entries()) {
    const said = number % 2 === 0 ? { user: sentenceOf(triple) } : { claude: `I see. ${sentenceOf(triple)}` };
    world.say(idOf(number), [...chatter(number), said, ...chatter(number + 1)], { ago: 20 + (number % 20) });
  }
  for (let number = 0; number < 20; number++) {
    const [a, b] = triples[number] ?? [];
    const almost = { claude: `The ${a} needs the ${b} before the ${subjects[number % 5]}.` };
    const logs = [0, 1, 2].map((at) => ({ command: "make", output: log(number + at) }));
    world.say(idOf(100 + number), [...logs, almost], { ago: number % 10 });
  }
  const missed: string[] = [];
  for (const triple of triples) {
    const { results } = await search(environment, { words: triple.join(" "), limit: 10 });
    const isFirst = results.slice(0, 3).some(({ snippet }) => snippet.text.includes(sentenceOf(triple)));
    if (!isFirst) missed.push(sentenceOf(triple));
  }
  expect(triples).toHaveLength(56);
  expect(missed).toEqual([]);
});

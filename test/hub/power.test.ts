// The server crashes (as with `pg_ctl stop -m immediate`) at any statement of a replication or of a takeover.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { Workstation } from "../support/hub/moving-session.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";
import { HubProxy } from "../support/hub/proxy.ts";
import { type InHub, readFromHub } from "../support/hub/read-hub.ts";

/** `bun run test:hub` tries every statement; `npm test` a few of them. */
const inFull = process.env["HUB"] === "full";
if (inFull) setDefaultTimeout(1_800_000);

const session = "11111111-2222-4333-8444-555555555555";

let postgres: TestPostgres;
let proxy: HubProxy;
beforeAll(async () => {
  postgres = await sharedPostgres();
  proxy = await HubProxy.start(postgres.port);
}, startTimeoutMs);
afterAll(() => proxy?.[Symbol.dispose]());

/** The machine reaches the hub through the proxy. */
function useProxy(machine: Workstation): void {
  writeFileSync(machine.configPath, JSON.stringify({ ...machine.config(), url: proxy.through(machine.config().url) }));
}

/** Runs the command and crashes the server at each message that it sends, each time from a new beginning. */
async function crashEverywhere(
  title: string,
  prepare: () => Promise<{ machine: Workstation; run(): Promise<unknown>; check(): Promise<void> } & Disposable>,
): Promise<number> {
  using clean = await prepare();
  proxy.messages = 0;
  await clean.run();
  const total = proxy.messages;
  expect(total).toBeGreaterThan(3);
  const all = Array.from({ length: total }, (_, at) => at + 1);
  const chosen = inFull ? all : [Math.ceil(total / 2), total - 1];
  for (const number of chosen) {
    using world = await prepare();
    let crashed: Promise<void> | undefined;
    proxy.messages = 0;
    proxy.onMessage = async (sent) => {
      if (sent === number) await (crashed ??= postgres.stop("immediate"));
    };
    await world.run();
    proxy.onMessage = () => undefined;
    await (crashed ?? postgres.stop("immediate"));
    await postgres.startAgain();
    try {
      await world.check();
    } catch (error) {
      throw new Error(`${title}: crash at message ${number} of ${total}`, { cause: error });
    }
  }
  return chosen.length;
}

const contentOf = (inHub: InHub | undefined): string => inHub?.contents.get("mirror/1")?.toString() ?? "";

test("replication: the hub has the old or the new state, and the next try completes it", async () => {
  await crashEverywhere("replication", async () => {
    const machine = new Workstation("a");
    await machine.init(await postgres.createDatabase());
    useProxy(machine);
    await machine.turn(session, "one");
    await machine.sync();
    const old = await readFromHub(machine, session);
    await machine.turn(session, "two");
    return {
      machine,
      run: () => machine.hub(["sync"]),
      check: async () => {
        const found = await readFromHub(machine, session);
        const isOld = found?.seq === old?.seq && contentOf(found) === contentOf(old);
        const isNew = found?.seq === (old?.seq ?? 0) + 1 && contentOf(found).includes("two");
        expect([isOld, isNew]).toContain(true);
        await machine.sync();
        expect(contentOf(await readFromHub(machine, session))).toContain("two");
      },
      [Symbol.dispose]: () => machine[Symbol.dispose](),
    };
  });
});

test("takeover: the session has the old or the new writer, and the next try gets it", async () => {
  await crashEverywhere("takeover", async () => {
    const [a, b] = [new Workstation("a"), new Workstation("b")];
    const line = await a.init(await postgres.createDatabase());
    await b.join(line);
    await a.turn(session, "one");
    await a.sync();
    useProxy(b);
    return {
      machine: b,
      run: () => b.cclaude(["--resume", session]),
      check: async () => {
        const found = await readFromHub(a, session);
        expect([`${a.config().machine} 1`, `${b.config().machine} 2`]).toContain(`${found?.holder} ${found?.fence}`);
        expect(contentOf(found)).toContain("one");
        expect((await b.cclaude(["--resume", session])).exitCode).toBe(0);
        expect((await readFromHub(a, session))?.holder).toBe(b.config().machine);
        expect(b.words(session)).toEqual(["one", "one"]);
      },
      [Symbol.dispose]: () => [a, b].forEach((each) => each[Symbol.dispose]()),
    };
  });
});

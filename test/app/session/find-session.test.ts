import { afterAll, expect, test } from "bun:test";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { findEndedSession } from "../../../src/app/session/find-session.ts";
import { holdByCclaude } from "../../support/worlds/hold-session.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

/** A process that is neither ours nor our parent. */
const other = Bun.spawn(["sleep", "600"]);
afterAll(() => other.kill());

test("of two new transcripts, the one that another cclaude holds is not the ended claude's", async () => {
  using world = new HookWorld();
  const environment = currentEnvironment(world.env);
  const [own, held] = ["11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"];
  for (const id of [own, held]) world.grow(id, 1_000);
  const ended = { pid: 1, started: 0, directory: "/project", segments: [], events: [] };
  expect(findEndedSession(environment, ended)).toBeUndefined();
  await holdByCclaude(environment.paths, held, other.pid);
  expect(findEndedSession(environment, ended)).toEqual({ id: own, transcriptPath: world.transcript(own) });
});

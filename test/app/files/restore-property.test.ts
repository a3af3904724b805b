// Random trees and random changes: a restore of any mark gives exactly the state that was recorded with it.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FileWorld } from "../../support/worlds/file-world.ts";

const names = ["a", "b", "c d", "\u00e9", "x.txt"];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const operation = fc.oneof(
  fc.record({
    kind: fc.constant("write" as const),
    path,
    content: fc.uint8Array({ maxLength: 40 }),
    executable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("link" as const), path, target: fc.constantFrom("a", "../x", "/nowhere") }),
  fc.record({ kind: fc.constant("remove" as const), path }),
);
const rounds = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 4 });

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function perform(root: string, step: Operation): void {
  const full = join(root, step.path);
  try {
    if (step.kind === "remove") return rmSync(full, { recursive: true, force: true });
    // A file or a link may be where a directory has to be.
    for (let at = dirname(full); at !== root; at = dirname(at)) {
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats && !stats.isDirectory()) rmSync(at);
    }
    rmSync(full, { recursive: true, force: true });
    mkdirSync(dirname(full), { recursive: true });
    if (step.kind === "link") return symlinkSync(step.target, full);
    writeFileSync(full, step.content);
    chmodSync(full, step.executable ? 0o755 : 0o644);
  } catch (error) {
    // Below a file, or below a link to itself.
    if (!["ENOTDIR", "ELOOP"].includes((error as { code?: string }).code ?? "")) throw error;
  }
}

const numRuns = Number(process.env["FILE_PROPERTY_RUNS"] ?? 5);

test("a restore of any mark, and its undo, is exact", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      using world = new FileWorld();
      world.write("anchor", "always there");
      const states = new Map<number, { [path: string]: string }>();
      for (const round of all) {
        for (const step of round) perform(world.work, step);
        await world.hookHere("UserPromptSubmit");
        // The first mark is taken by a worker, for which a busy machine may not wait.
        const count = world.record()?.count ?? (await world.mark());
        states.set(count, world.state());
      }
      const last = world.state();
      for (const [number, state] of states) {
        await world.succeed(["restore", "--files", "--to", `f${number}`]);
        expect(world.state()).toEqual(state);
      }
      await world.succeed(["restore", "--files", "--to", `f${[...states.keys()].at(-1)}`]);
      expect(world.state()).toEqual(last);
    }),
    { numRuns },
  );
});

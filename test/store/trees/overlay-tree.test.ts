// The tree of an index with a few changed files is the tree that git makes of the same files.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parentsOf } from "../../../src/core/files/order-restore.ts";
import { findGit } from "../../../src/io/git/find-git.ts";
import { type Git, runGit } from "../../../src/io/git/run-git.ts";
import { findChanged, rootPlace } from "../../../src/store/trees/find-changed.ts";
import { fitsOverlay, overlayTree } from "../../../src/store/trees/overlay-tree.ts";
import { prepareRepository } from "../../../src/store/trees/tree-repository.ts";

class OverlayWorld implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "overlay-"));
  readonly work = join(this.#root, "work");
  readonly git: Git = {
    executable: findGit(process.env["PATH"] ?? "", this.work) ?? "",
    directory: join(this.#root, "git"),
  };
  readonly place = rootPlace(this.git, { workspace: this.work });

  constructor() {
    mkdirSync(this.work);
    prepareRepository(this.git.directory);
  }

  /** Removes what is in the way. */
  put(path: string, content: string | { link: string } | undefined, mode = 0o644): void {
    const full = join(this.work, path);
    for (const parent of parentsOf(path).toReversed()) {
      if (lstatSync(join(this.work, parent), { throwIfNoEntry: false })?.isDirectory() === false)
        rmSync(join(this.work, parent));
    }
    rmSync(full, { recursive: true, force: true });
    if (content === undefined) return;
    mkdirSync(dirname(full), { recursive: true });
    if (typeof content === "object") return symlinkSync(content.link, full);
    writeFileSync(full, content);
    chmodSync(full, mode);
  }

  /** What git makes of all files, in its index. */
  async updateIndex(): Promise<string> {
    await runGit(this.git, ["add", "-A", "."], this.place);
    return (await runGit(this.git, ["write-tree"], this.place)).toString().trim();
  }

  async overlay(base: string): Promise<string | undefined> {
    const { modified, others } = await findChanged(this.git, this.place);
    const paths = [...new Set([...modified, ...others])];
    return (await overlayTree(this.git, { workTree: this.work, base, wanted: paths, unwanted: [] }, undefined))?.tree;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true });
  }
}

const name = fc.constantFrom("a", "b", "a.txt", "a-b", "c d", "\u00e9");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const content = fc.oneof(
  fc.constant(undefined),
  fc.string({ maxLength: 9 }),
  fc.constantFrom({ link: "a" }, { link: "../x" }),
);
const change = fc.tuple(path, content, fc.constantFrom(0o644, 0o755));
const changes = fc.array(change, { minLength: 1, maxLength: 8 });

test("equals the tree that git writes, after any changes, and its objects are complete", async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (before, after) => {
      using world = new OverlayWorld();
      for (const [at, what, mode] of before) world.put(at, what, mode);
      const base = await world.updateIndex();
      for (const [at, what, mode] of after) world.put(at, what, mode);
      const tree = await world.overlay(base);
      expect(tree).toBeDefined();
      if (tree === undefined) return;
      await runGit(world.git, ["archive", "--format=tar", tree]);
      expect(tree).toBe(await world.updateIndex());
    }),
    { numRuns: Number(process.env["FILE_PROPERTY_RUNS"] ?? 8) },
  );
});

test("nothing behind a link that took the place of a directory is in it", async () => {
  using world = new OverlayWorld();
  world.put("dir/file", "inside");
  world.put("other/file", "another");
  const base = await world.updateIndex();
  world.put("dir", { link: "other" });
  expect(await world.overlay(base)).toBe(await world.updateIndex());
});

test("many files, large ones and names with a newline are left to git's index", () => {
  expect(fitsOverlay(["a"], 1_000)).toBe(true);
  expect(fitsOverlay(["a"], 10_000_000)).toBe(false);
  expect(fitsOverlay(["a\nb"], 1)).toBe(false);
  expect(
    fitsOverlay(
      Array.from({ length: 100 }, (_, n) => `${n}`),
      1,
    ),
  ).toBe(false);
});

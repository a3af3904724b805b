// What we write as an object of git, git itself reads.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { looseObject, objectId, parseTree, serializeTree } from "../../../src/io/git/objects.ts";

function inRepository(body: (git: (words: string[], input?: Uint8Array) => Buffer, directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), "git-objects-"));
  const git = (words: string[], input: Uint8Array = new Uint8Array()): Buffer => {
    const env = { PATH: process.env["PATH"] ?? "", GIT_DIR: directory, GIT_CONFIG_GLOBAL: "/dev/null" };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...words], { env, stdin: input });
    expect([exitCode, stderr.toString()]).toEqual([0, expect.not.stringContaining("error")]);
    return stdout;
  };
  try {
    git(["init", "-q", "--bare", directory]);
    body(git, directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const store = (directory: string, object: Parameters<typeof looseObject>[0]): void => {
  mkdirSync(join(directory, "objects", object.id.slice(0, 2)), { recursive: true });
  writeFileSync(join(directory, "objects", object.id.slice(0, 2), object.id.slice(2)), looseObject(object));
};

test("contents of every kind and size have git's name and come back", () => {
  inRepository((git, directory) => {
    const contents = ["", "text\n", "\0\xff\n".repeat(30_000)].map((text) => Buffer.from(text, "latin1"));
    for (const content of [...contents, crypto.getRandomValues(new Uint8Array(50_000))]) {
      const id = objectId({ type: "blob", content });
      expect(id).toBe(git(["hash-object", "--stdin"], content).toString().trim());
      store(directory, { type: "blob", content, id });
      expect(Buffer.compare(git(["cat-file", "blob", id]), content)).toBe(0);
    }
    git(["fsck", "--strict", "--no-dangling"]);
  });
});

test("a tree is in git's order, with names that are not UTF-8, have spaces, or sort by their slash", () => {
  inRepository((git, directory) => {
    const content = Buffer.from("x");
    const blob = objectId({ type: "blob", content });
    store(directory, { type: "blob", content, id: blob });
    const inner = serializeTree(new Map([["file", { mode: "100755", id: blob }]]));
    const innerId = objectId({ type: "tree", content: inner });
    store(directory, { type: "tree", content: inner, id: innerId });
    const file = { mode: "100644", id: blob };
    const nodes = new Map([
      ["b", { mode: "40000", id: innerId }],
      ["b.txt", file],
      ["b-c", file],
      ["\xff\xfe", file],
      ["a name", { mode: "120000", id: blob }],
    ]);
    const top = serializeTree(nodes);
    const id = objectId({ type: "tree", content: top });
    const listing = [...nodes].map(
      ([name, { mode, id: of }]) => `${mode.padStart(6, "0")} ${mode === "40000" ? "tree" : "blob"} ${of}\t${name}\0`,
    );
    expect(
      git(["mktree", "-z"], Buffer.from(listing.join(""), "latin1"))
        .toString()
        .trim(),
    ).toBe(id);
    expect(Object.fromEntries(parseTree(top))).toEqual(Object.fromEntries(nodes));
  });
});

// list, view and diff tie the files to the conversation: which step changed what.
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { FileWorld } from "../../support/worlds/file-world.ts";

/** A line of the transcript, written now. */
function say(world: FileWorld, type: "user" | "assistant", text: string): void {
  const message = { role: type, content: [{ type: "text", text }] };
  const line = { type, uuid: text, parentUuid: null, timestamp: new Date().toISOString(), message };
  appendFileSync(world.transcript(world.sessionId), `${JSON.stringify(line)}\n`);
}

test("shows the changes of every step in the timeline, in the conversation and as a patch", async () => {
  using world = new FileWorld();
  say(world, "user", "start");
  world.write("a.txt", "one\ntwo\n");
  world.write("binary", new Uint8Array([0, 1, 2]));
  await world.mark("UserPromptSubmit");
  world.write("a.txt", "one\n2\nthree\n");
  world.write("binary", new Uint8Array([0, 9]));
  await world.beforeCommand("rm -rf new");
  world.write("new", "file with \u001b[31mcolor\n");
  await world.mark("Stop");

  const list = await world.succeed(["list", world.sessionId]);
  expect(list).toMatch(/f2 +\S+ +before rm +\+2 −1 in 2 files\n/);
  expect(list).toMatch(/ 1 +\S+ +Stop .* f3 \+1 −0 in 1 file\n/);

  const view = await world.succeed(["view", world.sessionId, "--plain"]);
  expect(view).toContain("*files: f2 +2 −1 in 2 files · before rm*");

  const patch = await world.succeed(["diff", "--from", "f1", "--to", "f2"]);
  expect(patch).toContain("-two\n+2\n+three\n");
  expect(patch).toContain("Binary files a/binary and b/binary differ");
  const stat = await world.succeed(["diff", "--from", "f1", "--stat"]);
  expect(stat).toMatch(/\+2 −1 +changed +a\.txt/);
  expect(stat).toMatch(/binary +changed +binary/);
  expect(await world.succeed(["diff", "--from", "f1", "new"])).toStartWith(
    "diff --git a/new b/new\nnew file mode 100644",
  );

  const json = JSON.parse(await world.succeed(["diff", "--from", "f1", "--json"])) as object;
  expect(json).toMatchObject({
    from: { name: "f1" },
    to: null,
    files: [
      { path: "a.txt", change: "changed", added: 2, removed: 1, binary: false },
      { path: "binary", change: "changed", added: null, binary: true },
      { path: "new", change: "added", added: 1, removed: 0 },
    ],
    marks: [
      { name: "f2", before: "rm" },
      { name: "f3", mark: 1 },
    ],
  });
  // The number of a mark of the transcript means the files at that moment.
  expect(await world.succeed(["diff", "--from", "f3", "--to", "1"])).toBe("");
});

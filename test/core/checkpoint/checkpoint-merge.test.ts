import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Checkpoint, isThin, bounds } from "../../../src/core/checkpoint/checkpoint.ts";
import { type Evidence, mergeSighting } from "../../../src/core/checkpoint/checkpoint-merge.ts";
import { mergeSave, type Words } from "../../../src/core/checkpoint/checkpoint-save.ts";
import { lostConversationPrompt, contextMessage } from "../../../src/core/restart/context-message.ts";
import { newCommits } from "../../../src/core/checkpoint/new-commits.ts";
import { see, save, prompt, edit, commit, history, words } from "../../support/worlds/checkpoint-evidence.ts";

const directory = "/p";

describe("written words", () => {
  test("win right after the save over everything that hooks recorded", () => {
    fc.assert(
      fc.property(history, words, (seen, given) => {
        const before = seen.length > 0 ? see(undefined, 1, seen) : undefined;
        const saved = save(before, 2, given);
        expect(saved).toMatchObject({ goal: given.goal, next: given.next, blocker: given.blocker, source: "claude" });
        expect(saved.done).toEqual(expect.arrayContaining(given.done));
      }),
    );
  });

  test("keep goal, blocker and every done step whatever the hooks of the same session record later", () => {
    fc.assert(
      fc.property(words, fc.array(history, { maxLength: 5 }), (given, turns) => {
        const saved = save(undefined, 1, given);
        const after = turns.reduce((checkpoint, seen, turn) => see(checkpoint, turn + 2, seen), saved);
        expect(after.goal).toBe(given.goal);
        expect(after.blocker).toBe(given.blocker);
        expect(after.done).toEqual(expect.arrayContaining(given.done));
        expect(after.written).toEqual(saved.written);
        const hasNewerTask = after.seen.tasks.some(({ status }) => status !== "completed");
        if (!hasNewerTask) expect(after.next).toBe(given.next);
      }),
    );
  });

  test("give way to the next step of a newer task list, not of an older one", () => {
    const tasks = (subject: string): Evidence => ({
      kind: "tasks",
      tasks: [{ id: "1", subject, status: "in_progress" }],
    });
    const older = save(see(undefined, 1, [tasks("old step")]), 2, { goal: "g", next: "written step" });
    expect(older.next).toBe("written step");
    expect(see(older, 3, [tasks("new step")]).next).toBe("new step");
  });

  test("start with nothing done for a new goal, and collect steps for the same goal", () => {
    const first = save(undefined, 1, { goal: "one", done: ["a"], next: "n" });
    expect(save(first, 2, { done: ["b"] })).toMatchObject({ goal: "one", done: ["a", "b"], next: "n" });
    expect(save(first, 2, { goal: "two" })).toMatchObject({ goal: "two", done: [], next: null });
  });

  test("lose their blocker and next step when the work is finished, unless the same save names new ones", () => {
    const failed: Evidence = { kind: "failure", error: "server_error", message: "API Error: 500" };
    const open = save(see(undefined, 1, [failed]), 2, { goal: "one", next: "n", blocker: "no access" });
    const { checkpoint, replaced } = mergeSave(open, {
      by: "user",
      sessionId: "s",
      directory,
      now: 3,
      words: { finished: true },
    });
    expect(checkpoint).toMatchObject({ goal: "one", finished: true, next: null, blocker: null });
    expect(replaced).toEqual(open);
    expect(save(open, 3, { finished: true, blocker: "none left" }).blocker).toBe("none left");
    expect(see(see(undefined, 1, [edit("a"), failed]), 2, [{ kind: "finished" }]).blocker).toBeNull();
  });

  test("are returned for safekeeping when a new goal replaces them", () => {
    const replacedBy = (before: Words, words: Words, sessionId: string | null): Checkpoint | null => {
      const first = save(undefined, 1, before, "s");
      const { replaced } = mergeSave(first, { by: "user", sessionId, directory, now: 2, words });
      if (replaced) expect(replaced).toEqual(first);
      return replaced;
    };
    const rich = { goal: "one", done: ["a"], next: "n" };
    for (const session of ["s", null, "other"]) {
      expect(replacedBy(rich, { goal: "two" }, session)).not.toBeNull();
      expect(replacedBy(rich, { goal: "one", done: ["b"] }, session)).toBeNull();
      expect(replacedBy(rich, { next: "m" }, session)).toBeNull();
    }
    // A goal without steps is only rephrased.
    expect(replacedBy({ goal: "one" }, { goal: "two" }, "s")).toBeNull();
  });
});

describe("a sighting of the hooks", () => {
  test("gives the same record in one step or in many", () => {
    fc.assert(
      fc.property(history, (seen) => {
        const once = see(undefined, 1, seen);
        const stepwise = seen.reduce<Checkpoint | undefined>(
          (checkpoint, each) => see(checkpoint, 1, [each]),
          undefined,
        );
        if (stepwise) expect(stepwise).toEqual(once);
      }),
    );
  });

  test("changes nothing the second time", () => {
    const first = see(undefined, 1, [prompt("Fix the parser"), edit("a.ts"), commit("Committed: a")]);
    const again = mergeSighting(first, { sessionId: "s", directory, reason: "x", now: 9, evidence: [edit("a.ts")] });
    expect(again).toEqual({ checkpoint: first, changed: false, replaced: null });
  });

  test("stays within the bounds", () => {
    const many = Array.from({ length: 200 }, (_, at) => [edit(`f${at}`), commit(`c${at}`)]).flat();
    const full = see(undefined, 1, [prompt("x".repeat(100_000)), ...many]);
    expect(full.goal?.length).toBe(bounds.words);
    expect(full.done).toHaveLength(bounds.items);
    expect(full.done.at(-1)).toBe("c199");
    expect(full.where.files).toHaveLength(bounds.files);
    expect(full.where.files[0]).toBe("f199");
  });

  test("keeps the goal after a question until Claude works on the question", () => {
    const worked = see(undefined, 1, [prompt("Fix the parser"), edit("a.ts")]);
    const asked = see(worked, 2, [prompt("Why is that so?")]);
    expect(asked).toMatchObject({ goal: "Fix the parser", seen: { request: "Why is that so?" } });
    expect(see(asked, 3, [edit("b.ts")])).toMatchObject({
      goal: "Why is that so?",
      seen: { earlier: ["Fix the parser"], request: null },
    });
  });

  const ours = contextMessage("limit", undefined);
  test.each(["yes", "Continue.", "go on", "/compact", "!ls", ours])("does not take %j as a goal", (text) => {
    const asked = see(see(undefined, 1, [prompt("Fix it all"), edit("a")]), 2, [prompt(text)]);
    expect(see(asked, 3, [edit("b")]).goal).toBe("Fix it all");
    expect(see(see(undefined, 1, [prompt("Fix it all")]), 2, [prompt(text), edit("a")]).goal).toBe("Fix it all");
  });

  test("finishes with the run unless a next step is written; a new request reopens it", () => {
    const worked = see(undefined, 1, [prompt("Fix it all"), edit("a")]);
    const finished = see(worked, 2, [{ kind: "finished" }]);
    expect(finished).toMatchObject({ goal: "Fix it all", finished: true });
    expect(see(finished, 3, [prompt("And the rest")]).finished).toBe(false);
    expect(see(save(worked, 2, { next: "the rest" }), 3, [{ kind: "finished" }]).finished).toBe(false);
    expect(
      mergeSighting(undefined, { sessionId: "s", directory, reason: "r", now: 1, evidence: [{ kind: "finished" }] }),
    ).toMatchObject({ changed: false });
  });

  test("records the issue that a prompt names", () => {
    const url = "https://example.invalid/me/shop/issues/42";
    expect(see(undefined, 1, [prompt(`Fix (${url}), please`)]).where.issue).toBe(url);
  });

  test("finishes with a completed task list and an answer; an open task reopens it", () => {
    const task = (status: "completed" | "pending"): Evidence => ({ kind: "task", id: "1", subject: "only", status });
    const done = see(undefined, 1, [prompt("Do it all"), task("completed"), { kind: "answer", message: "Done." }]);
    expect(done).toMatchObject({ finished: true, done: ["only"], next: null });
    expect(see(done, 2, [task("pending")])).toMatchObject({ finished: false, next: "only" });
  });
});

describe("another session", () => {
  const rich = save(undefined, 1, { goal: "Ship it", next: "test" }, "old");

  test("waits while it only asks; its first work replaces the checkpoint, which is returned for safekeeping", () => {
    const asked = mergeSighting(rich, {
      sessionId: "new",
      directory,
      reason: "p",
      now: 2,
      evidence: [prompt("Time?")],
    });
    expect(asked).toMatchObject({ replaced: null, checkpoint: { goal: "Ship it", sessionId: "old", time: 1 } });
    const worked = mergeSighting(asked.checkpoint, {
      sessionId: "new",
      directory,
      reason: "e",
      now: 3,
      evidence: [edit("a")],
    });
    expect(worked.checkpoint).toMatchObject({ goal: "Time?", sessionId: "new", written: null, waiting: null });
    expect(worked.replaced).toEqual(rich);
  });

  test("continues the checkpoint when its prompt says to continue", () => {
    expect(see(rich, 2, [prompt("yes, continue"), edit("a")], "new")).toMatchObject({
      goal: "Ship it",
      sessionId: "new",
    });
  });

  test("replaces nothing without a prompt", () => {
    const talked = see(undefined, 1, [prompt("What is this?"), { kind: "answer", message: "A shop." }]);
    const looked: Evidence[] = [{ kind: "where", repository: "r", branch: "main", commit: null }];
    for (const evidence of [[], looked, [{ kind: "finished" as const }]]) {
      for (const before of [talked, rich, { ...rich, finished: true }]) {
        const merged = mergeSighting(before, { sessionId: "new", directory, reason: "SessionEnd", now: 9, evidence });
        expect(merged).toEqual({ checkpoint: before, changed: false, replaced: null });
      }
    }
  });

  test("replaces a finished or empty checkpoint at once", () => {
    const finished = save(rich, 2, { finished: true }, "old");
    expect(see(finished, 3, [prompt("Next thing")], "new").goal).toBe("Next thing");
    const thin = see(undefined, 1, [prompt("Hello"), { kind: "answer", message: "Hi" }], "old");
    expect(isThin(thin)).toBe(true);
    expect(see(thin, 3, [prompt("Next thing")], "new").goal).toBe("Next thing");
  });
});

test("newCommits returns the commits after the last recorded one, else the newest if a commit was asked for", () => {
  const log = ["a", "b", "c"].map((commit) => ({ commit, action: "commit", subject: commit.toUpperCase() }));
  expect(newCommits(log, "a", false)).toEqual(["B", "C"]);
  expect(newCommits(log, "c", true)).toEqual([]);
  expect(newCommits(log, null, false)).toEqual([]);
  expect(newCommits(log, null, true)).toEqual(["C"]);
  expect(newCommits([...log, { commit: "d", action: "checkout", subject: "moving" }], "c", true)).toEqual([]);
});

test("the goal of a restarted task is the text of the user", () => {
  const known = { task: "Write the notes", lastStep: "begun", steps: 1, lastSentence: undefined, files: [] };
  expect(see(undefined, 1, [prompt(lostConversationPrompt(known)), edit("a.md")]).goal).toBe("Write the notes");
});

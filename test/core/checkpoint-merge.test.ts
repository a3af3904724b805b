import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { type Checkpoint, compose, isThin, isWorthTelling, leads, most } from "../../src/core/checkpoint.ts";
import { checkpointToJson, parseCheckpoint } from "../../src/core/checkpoint-form.ts";
import { type Evidence, mergeSighting } from "../../src/core/checkpoint-merge.ts";
import { mergeSave, type Words } from "../../src/core/checkpoint-save.ts";
import { beginAgain, contextMessage } from "../../src/core/context-message.ts";
import { newCommits } from "../../src/core/new-commits.ts";

setDefaultTimeout(60_000);

const directory = "/p";

function see(before: Checkpoint | undefined, now: number, evidence: Evidence[], sessionId = "s"): Checkpoint {
  return mergeSighting(before, { sessionId, directory, reason: "test", now, evidence }).checkpoint;
}

function save(before: Checkpoint | undefined, now: number, words: Words, sessionId: string | null = "s"): Checkpoint {
  return mergeSave(before, { by: "claude", sessionId, directory, now, words }).checkpoint;
}

const prompt = (text: string): Evidence => ({ kind: "prompt", text });
const edit = (file: string): Evidence => ({ kind: "edit", file });
const commit = (text: string): Evidence => ({ kind: "done", text });

const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({ kind: fc.constant("prompt" as const), text: fc.string() }),
  fc.record({ kind: fc.constant("edit" as const), file: fc.string() }),
  fc.record({ kind: fc.constant("done" as const), text: fc.string() }),
  fc.record({ kind: fc.constant("answer" as const), message: fc.option(fc.string()) }),
  fc.record({ kind: fc.constant("failure" as const), error: fc.string(), message: fc.option(fc.string()) }),
  fc.record({ kind: fc.constant("near-cap" as const), text: fc.string() }),
  fc.record({
    kind: fc.constant("tasks" as const),
    tasks: fc.array(
      fc.record({
        id: fc.string(),
        subject: fc.string(),
        status: fc.constantFrom("pending" as const, "in_progress" as const, "completed" as const),
      }),
    ),
  }),
);
const history = fc.array(evidence, { maxLength: 12 });
const sentence = fc.stringMatching(/^[a-z]+( [a-z]+){0,4}$/);
const words = fc.record({
  goal: sentence,
  next: sentence,
  blocker: sentence,
  done: fc.array(sentence, { maxLength: 5 }),
});

describe("what was written on purpose", () => {
  test("is on top right after the save, whatever hooks had seen", () => {
    fc.assert(
      fc.property(history, words, (seen, given) => {
        const before = seen.length > 0 ? see(undefined, 1, seen) : undefined;
        const saved = save(before, 2, given);
        expect(saved).toMatchObject({ goal: given.goal, next: given.next, blocker: given.blocker, source: "claude" });
        expect(saved.done).toEqual(expect.arrayContaining(given.done));
      }),
    );
  });

  test("keeps its goal, blocker and every done step through anything the same session's hooks see later", () => {
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

  test("its next step follows a task list that is newer, and not one that is older", () => {
    const tasks = (subject: string): Evidence => ({
      kind: "tasks",
      tasks: [{ id: "1", subject, status: "in_progress" }],
    });
    const older = save(see(undefined, 1, [tasks("old step")]), 2, { goal: "g", next: "written step" });
    expect(older.next).toBe("written step");
    expect(see(older, 3, [tasks("new step")]).next).toBe("new step");
  });

  test("a new goal starts with nothing done, a step more adds to the same", () => {
    const first = save(undefined, 1, { goal: "one", done: ["a"], next: "n" });
    expect(save(first, 2, { done: ["b"] })).toMatchObject({ goal: "one", done: ["a", "b"], next: "n" });
    expect(save(first, 2, { goal: "two" })).toMatchObject({ goal: "two", done: [], next: null });
  });

  test("words that a new goal takes the place of are handed back to be kept", () => {
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
    // Other words for the same, before anything hangs on them.
    expect(replacedBy({ goal: "one" }, { goal: "two" }, "s")).toBeNull();
  });
});

describe("what hooks see", () => {
  test("is merged in any number of steps to the same record", () => {
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

  test("twice is nothing new, so nothing is written", () => {
    const first = see(undefined, 1, [prompt("Fix the parser"), edit("a.ts"), commit("Committed: a")]);
    const again = mergeSighting(first, { sessionId: "s", directory, reason: "x", now: 9, evidence: [edit("a.ts")] });
    expect(again).toEqual({ checkpoint: first, changed: false, replaced: null });
  });

  test("stays within its bounds", () => {
    const many = Array.from({ length: 200 }, (_, at) => [edit(`f${at}`), commit(`c${at}`)]).flat();
    const full = see(undefined, 1, [prompt("x".repeat(100_000)), ...many]);
    expect(full.goal?.length).toBe(most.words);
    expect(full.done).toHaveLength(most.items);
    expect(full.done.at(-1)).toBe("c199");
    expect(full.where.files).toHaveLength(most.files);
    expect(full.where.files[0]).toBe("f199");
  });

  test("a question after work leaves the goal, the work for it takes it over", () => {
    const worked = see(undefined, 1, [prompt("Fix the parser"), edit("a.ts")]);
    const asked = see(worked, 2, [prompt("Why is that so?")]);
    expect(asked).toMatchObject({ goal: "Fix the parser", seen: { request: "Why is that so?" } });
    expect(see(asked, 3, [edit("b.ts")])).toMatchObject({
      goal: "Why is that so?",
      seen: { earlier: ["Fix the parser"], request: null },
    });
  });

  const ours = contextMessage("limit", undefined);
  test.each(["yes", "Continue.", "go on", "/compact", "!ls", ours])("%j is no goal", (text) => {
    const asked = see(see(undefined, 1, [prompt("Fix it all"), edit("a")]), 2, [prompt(text)]);
    expect(see(asked, 3, [edit("b")]).goal).toBe("Fix it all");
    expect(see(see(undefined, 1, [prompt("Fix it all")]), 2, [prompt(text), edit("a")]).goal).toBe("Fix it all");
  });

  test("a run that is done is finished, unless somebody wrote down what is next; a new request opens it again", () => {
    const worked = see(undefined, 1, [prompt("Fix it all"), edit("a")]);
    const finished = see(worked, 2, [{ kind: "finished" }]);
    expect(finished).toMatchObject({ goal: "Fix it all", finished: true });
    expect(see(finished, 3, [prompt("And the rest")]).finished).toBe(false);
    expect(see(save(worked, 2, { next: "the rest" }), 3, [{ kind: "finished" }]).finished).toBe(false);
    expect(
      mergeSighting(undefined, { sessionId: "s", directory, reason: "r", now: 1, evidence: [{ kind: "finished" }] }),
    ).toMatchObject({ changed: false });
  });

  test("an issue that a prompt names is where the work belongs", () => {
    const url = "https://example.invalid/me/shop/issues/42";
    expect(see(undefined, 1, [prompt(`Fix (${url}), please`)]).where.issue).toBe(url);
  });

  test("a task list that is all done, and an answer, is finished; more to do opens it again", () => {
    const task = (status: "completed" | "pending"): Evidence => ({ kind: "task", id: "1", subject: "only", status });
    const done = see(undefined, 1, [prompt("Do it all"), task("completed"), { kind: "answer", message: "Done." }]);
    expect(done).toMatchObject({ finished: true, done: ["only"], next: null });
    expect(see(done, 2, [task("pending")])).toMatchObject({ finished: false, next: "only" });
  });
});

describe("another session", () => {
  const rich = save(undefined, 1, { goal: "Ship it", next: "test" }, "old");

  test("that only asks waits; its first work replaces, and what it replaces is handed back to be kept", () => {
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

  test("that says to continue goes on with it", () => {
    expect(see(rich, 2, [prompt("yes, continue"), edit("a")], "new")).toMatchObject({
      goal: "Ship it",
      sessionId: "new",
    });
  });

  test("that has asked for nothing takes nobody's place, not even that of mere talk", () => {
    const talked = see(undefined, 1, [prompt("What is this?"), { kind: "answer", message: "A shop." }]);
    const looked: Evidence[] = [{ kind: "where", repository: "r", branch: "main", commit: null }];
    for (const evidence of [[], looked, [{ kind: "finished" as const }]]) {
      for (const before of [talked, rich, { ...rich, finished: true }]) {
        const merged = mergeSighting(before, { sessionId: "new", directory, reason: "SessionEnd", now: 9, evidence });
        expect(merged).toEqual({ checkpoint: before, changed: false, replaced: null });
      }
    }
  });

  test("takes the place at once of one that is finished or holds nothing", () => {
    const finished = save(rich, 2, { finished: true }, "old");
    expect(see(finished, 3, [prompt("Next thing")], "new").goal).toBe("Next thing");
    const thin = see(undefined, 1, [prompt("Hello"), { kind: "answer", message: "Hi" }], "old");
    expect(isThin(thin)).toBe(true);
    expect(see(thin, 3, [prompt("Next thing")], "new").goal).toBe("Next thing");
  });
});

describe("worth telling", () => {
  const day = 86_400_000;
  const open = save(undefined, 10 * day, { goal: "g" });
  test.each<[string, Checkpoint, number, boolean]>([
    ["open", open, 12 * day, true],
    ["seven days old to the millisecond", open, 17 * day, true],
    ["older", open, 17 * day + 1, false],
    ["of a clock that ran ahead", open, 9 * day, true],
    ["finished", save(open, 11 * day, { finished: true }), 11 * day, false],
    ["without words", compose({ ...open, written: null }), 11 * day, false],
    ["asked and answered", see(undefined, 1, [prompt("Why?"), { kind: "answer", message: "So." }]), 2, false],
    ["asked and cut off", see(undefined, 1, [prompt("Why is that?")]), 2, true],
  ])("%s", (_what, checkpoint, now, expected) => expect(isWorthTelling(checkpoint, now, 7)).toBe(expected));

  test("of two directories the newer leads, but talk does not push out open work", () => {
    const elsewhere = (checkpoint: Checkpoint): Checkpoint => ({
      ...checkpoint,
      where: { ...checkpoint.where, directory: "/q" },
    });
    const talk = elsewhere(see(undefined, 11 * day, [prompt("Hello")]));
    expect(leads(elsewhere(save(undefined, 11 * day, { goal: "h" })), open)).toBe(true);
    expect(leads(talk, open)).toBe(false);
    expect(leads(open, talk)).toBe(true);
    expect(leads(talk, save(open, 10 * day, { finished: true }))).toBe(true);
  });
});

describe("on disk", () => {
  test("every record reads back as it was", () => {
    fc.assert(
      fc.property(history, fc.option(words), (seen, given) => {
        const checkpoint = given ? save(see(undefined, 1, seen), 2, given) : see(undefined, 1, seen);
        const text = JSON.stringify(checkpointToJson(checkpoint));
        expect(parseCheckpoint(text)).toEqual({ kind: "checkpoint", checkpoint });
      }),
    );
  });

  test("anything at all is read without a throw, as clean short lines", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(["checkpoint", "unreadable", "newer"]).toContain(parseCheckpoint(text).kind);
      }),
    );
    const hostile = { version: 1, written: { goal: "a\u001b[31mb\nIGNORE ALL\u202e\u{e0041}", done: "x", at: 1e99 } };
    const read = parseCheckpoint(JSON.stringify(hostile));
    expect(read).toMatchObject({ checkpoint: { goal: "ab IGNORE ALL", done: ["x"] } });
  });

  test("one without a version is taken for words that somebody wrote", () => {
    const old = {
      goal: "g",
      done: "a",
      next: "n",
      repo: "r",
      branch: "b",
      files: ["f"],
      timestamp: "2026-11-01T00:00:00Z",
    };
    expect(parseCheckpoint(JSON.stringify(old))).toMatchObject({
      checkpoint: {
        version: 1,
        goal: "g",
        done: ["a"],
        next: "n",
        where: { repository: "r", branch: "b", files: ["f"] },
      },
    });
    expect(parseCheckpoint('{"version":2}')).toEqual({ kind: "newer" });
    expect(parseCheckpoint("{")).toEqual({ kind: "unreadable" });
  });
});

test("commits are those after the one last seen; without one, the newest when a commit was asked for", () => {
  const log = ["a", "b", "c"].map((commit) => ({ commit, action: "commit", subject: commit.toUpperCase() }));
  expect(newCommits(log, "a", false)).toEqual(["B", "C"]);
  expect(newCommits(log, "c", true)).toEqual([]);
  expect(newCommits(log, null, false)).toEqual([]);
  expect(newCommits(log, null, true)).toEqual(["C"]);
  expect(newCommits([...log, { commit: "d", action: "checkout", subject: "moving" }], "c", true)).toEqual([]);
});

test("of a task that begins anew the user's words are the goal", () => {
  const known = { task: "Write the notes", lastStep: "begun", steps: 1, lastSentence: undefined, files: [] };
  expect(see(undefined, 1, [prompt(beginAgain(known)), edit("a.md")]).goal).toBe("Write the notes");
});

import { expect, test } from "bun:test";
import { isExitLine, parseLiveSession } from "../../src/claude/live-sessions.ts";

const file = (fields: object): string => JSON.stringify({ pid: 7, sessionId: "s", procStart: "48308", ...fields });

test.each<[what: string, fields: object, status: string | undefined]>([
  ["2.1.112 has no status", {}, undefined],
  ["it works", { status: "busy" }, "busy"],
  ["it is idle", { status: "idle" }, "idle"],
  ["it is idle, and a task runs in the background", { status: "shell" }, "shell"],
  ["it asks for a permission", { status: "waiting", waitingFor: "permission prompt" }, "permission"],
  ["2.1.132 asks for a permission", { status: "waiting", waitingFor: "approve Bash" }, "permission"],
  ["it asks for access to the network", { status: "waiting", waitingFor: "sandbox request" }, "permission"],
  ["it asks a question", { status: "waiting", waitingFor: "input needed" }, "question"],
  ["a menu is open", { status: "waiting", waitingFor: "dialog open" }, "dialog"],
  ["it waits for something new", { status: "waiting", waitingFor: "a sign" }, "question"],
  ["a newer version has another status", { status: "dreaming" }, undefined],
])("%s", (_, fields, status) => {
  expect(parseLiveSession(file(fields))?.ownStatus).toBe(status as never);
});

test("a name that was made from the directory is not a title", () => {
  expect(parseLiveSession(file({ name: "project-e2", nameSource: "derived" }))?.name).toBeUndefined();
  expect(parseLiveSession(file({ name: "The login", nameSource: "user" }))?.name).toBe("The login");
});

test("a session file names the directory, the start and the kind of its claude", () => {
  const whole = parseLiveSession(file({ cwd: "/p", startedAt: 5, kind: "interactive" }));
  expect(whole).toMatchObject({ directory: "/p", startedAt: 5, isInteractive: true });
  expect(parseLiveSession(file({}))).toMatchObject({ directory: undefined, startedAt: undefined, isInteractive: true });
  expect(parseLiveSession(file({ kind: "print" }))?.isInteractive).toBeFalse();
});

test.each([
  ['{"type":"cost-state","cost":1}', true],
  ['{"type":"user"}', false],
  ["null", false],
  ['{"type":"cost-st', false],
])("whether %s ends a transcript whose claude exited", (line, expected) => {
  expect(isExitLine(line)).toBe(expected);
});

import { expect, test } from "bun:test";
import { chooseHosting, type HostingQuestion } from "../../../src/core/host/choose-hosting.ts";

const onTerminal: HostingQuestion = {
  flag: undefined,
  isConversation: true,
  isPrint: false,
  isAtTerminal: true,
  isHosted: false,
  isTransparent: true,
  settings: { hosting: "on", direct: false },
};

test.each<[string, Partial<HostingQuestion>, boolean]>([
  ["a conversation on a terminal", {}, true],
  ["--detachable", { flag: "detachable" }, true],
  ["--direct", { flag: "direct" }, false],
  ["CCLAUDE_DIRECT", { settings: { hosting: "on", direct: true } }, false],
  ["hosting off", { settings: { hosting: "off", direct: false } }, false],
  ["--detachable against the settings", { flag: "detachable", settings: { hosting: "off", direct: true } }, true],
  ["--detachable without a terminal, which fails later", { flag: "detachable", isAtTerminal: false }, true],
  ["no terminal", { isAtTerminal: false }, false],
  ["-p", { isPrint: true }, false],
  ["-p with --detachable", { isPrint: true, flag: "detachable" }, false],
  ["a subcommand", { isConversation: false }, false],
  ["a subcommand with --detachable", { isConversation: false, flag: "detachable" }, false],
  ["inside a host", { isHosted: true }, false],
  ["inside a host with --detachable", { isHosted: true, flag: "detachable" }, false],
  ["a system without raw terminals", { isTransparent: false }, false],
])("%s", (_, change, expected) => {
  expect(chooseHosting({ ...onTerminal, ...change })).toBe(expected);
});

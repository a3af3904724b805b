// Every command either supports --json or is listed here as one that prints only text.
import { expect, test } from "bun:test";
import { programs } from "../../src/cli/programs/catalog.ts";
import { FileWorld } from "../support/worlds/file-world.ts";
import { gone, running, ServiceWorld } from "../support/service/service-world.ts";

/** Commands that print text for a person or another program, and tables of commands. */
const notJson = [
  "ai-runtime attach",
  "ai-runtime checkpoint",
  "ai-runtime completions",
  "ai-runtime demo",
  "ai-runtime hook",
  "ai-runtime hub",
  "ai-runtime logs",
  "ai-runtime man",
  "ai-runtime notify",
  "ai-runtime queue",
  "ai-runtime service",
  "ai-runtime service logs",
  "ai-runtime shell-function",
  "ai-runtime statusline",
  "ai-runtime version",
  "session-snapshot hook",
  "session-snapshot version",
  "session-snapshot view",
];

/** Commands with --json, in an order in which each of them has a result. */
const calls: [command: string, ...words: string[]][] = [
  ["session-snapshot install"],
  ["session-snapshot status"],
  ["session-snapshot list", "some"],
  ["session-snapshot search", "first"],
  ["session-snapshot backfill"],
  ["session-snapshot diff"],
  ["session-snapshot verify", "some"],
  ["session-snapshot repair", "some", "--dry-run"],
  ["session-snapshot restore", "some", "--to", "1"],
  ["session-snapshot undo", "some"],
  ["session-snapshot rehome", "gone", ".", "--dry-run"],
  ["session-snapshot test"],
  ["session-snapshot clean", "--all", "--dry-run"],
  ["session-snapshot uninstall"],
  ["ai-runtime install"],
  ["ai-runtime doctor"],
  ["ai-runtime uninstall"],
  ["ai-runtime checkpoint save", "--goal", "g"],
  ["ai-runtime checkpoint show"],
  ["ai-runtime checkpoint list"],
  ["ai-runtime checkpoint clear"],
  ["ai-runtime service plan"],
  ["ai-runtime service install"],
  ["ai-runtime service status"],
  ["ai-runtime service uninstall"],
  ["ai-runtime run", "Do it"],
  ["ai-runtime status"],
  ["ai-runtime resume"],
  ["ai-runtime recover", "--dry-run"],
  ["ai-runtime stop"],
  ["ai-runtime usage"],
  ["ai-runtime dashboard", "forget"],
  ["ai-runtime notify test"],
  ["ai-runtime queue list"],
  // An id begins with its year.
  ["ai-runtime queue move", "20", "--to", "1"],
  ["ai-runtime queue cancel", "20"],
  ["ai-runtime queue pause"],
  ["ai-runtime queue resume"],
];

/** Commands with --json that need a database: test/hub/continue.test.ts and test/hub/fleet.test.ts call them. */
const withHub = [
  ...["clean", "fetch", "init", "join", "leave", "list", "status", "sync"].map((verb) => `ai-runtime hub ${verb}`),
  "ai-runtime queue result",
  "ai-runtime worker",
];

test("every command is in one of the two tables", () => {
  const all = programs.flatMap(({ name, verbs }) => Object.keys(verbs).map((verb) => `${name} ${verb}`));
  expect([...notJson, ...withHub, ...calls.map(([command]) => command)].sort()).toEqual(all.sort());
});

test.skipIf(process.platform !== "linux")(
  "--json prints JSON on stdout, nothing on stderr, and usage errors as JSON on stderr",
  async () => {
    using world = new ServiceWorld();
    world.env["AI_RUNTIME_NOTIFY_COMMAND_WORDS"] = "true";
    const hooks = new FileWorld(world.home);
    for (const label of ["first", "second"]) {
      hooks.grow("some", 1_000, label);
      await hooks.hook("some");
    }
    hooks.work = world.workspace;
    hooks.write("file", "1");
    await hooks.mark();
    // Claude fails at once, so that there is a run to resume.
    world.writeControl("code", "9");
    for (const [command, ...words] of calls) {
      const route = command.replace(/^ai-runtime /, "").split(" ");
      world.writeControl("state", command.endsWith("service uninstall") ? gone : running);
      if (command === "ai-runtime stop") {
        world.writeControl("stays", "");
        await world.run("run", "Do it", "--detach");
      }
      if (command === "ai-runtime queue move") await world.run("run", "Later", "--at", "20h");
      const { exitCode, stdout, stderr } = await world.run(...route, ...words, "--json");
      const values = stdout.trimEnd().split("\n");
      for (const value of values) expect([command, typeof JSON.parse(value)]).toEqual([command, "object"]);
      // run and resume print one event per line; the others print one value.
      if (!/ (run|resume)$/.test(command)) expect([command, values.length]).toEqual([command, 1]);
      if (exitCode === 0) expect([command, stderr]).toEqual([command, ""]);

      const refused = await world.run(...route, "--json", "--no-such-option", "x", "y", "z");
      expect([command, refused.exitCode, refused.stdout]).toEqual([command, 2, ""]);
      expect([command, JSON.parse(refused.stderr)]).toMatchObject([command, { error: { kind: "usage", exitCode: 2 } }]);
    }
  },
);

// Whatever a script would want to know is to be had as JSON: every command is in one of the two tables below.
import { expect, setDefaultTimeout, test } from "bun:test";
import { programs } from "../../src/cli/catalogue.ts";
import { HookWorld } from "../support/hook-world.ts";
import { gone, running, ServiceWorld } from "../support/service-world.ts";

setDefaultTimeout(120_000);

/** Text by its nature, for a person or another program, or the way to a table of commands. */
const notJson = [
  "ai-runtime attach",
  "ai-runtime checkpoint",
  "ai-runtime completions",
  "ai-runtime demo",
  "ai-runtime hook",
  "ai-runtime logs",
  "ai-runtime man",
  "ai-runtime service",
  "ai-runtime service logs",
  "ai-runtime shell-function",
  "ai-runtime statusline",
  "session-snapshot hook",
  "session-snapshot view",
];

/** How each is called, in an order in which each has something to say. */
const calls: [command: string, ...words: string[]][] = [
  ["session-snapshot install"],
  ["session-snapshot status"],
  ["session-snapshot list", "some"],
  ["session-snapshot verify", "some"],
  ["session-snapshot repair", "some", "--dry-run"],
  ["session-snapshot restore", "some", "--to", "1"],
  ["session-snapshot undo", "some"],
  ["session-snapshot test"],
  ["session-snapshot clean", "--dry-run"],
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
];

test("every command is known here, as one that has --json or as one that needs none", () => {
  const all = programs.flatMap(({ name, verbs }) => Object.keys(verbs).map((verb) => `${name} ${verb}`));
  expect([...notJson, ...calls.map(([command]) => command)].sort()).toEqual(all.sort());
});

test.skipIf(process.platform !== "linux")(
  "with --json stdout is JSON, stderr is silent, and wrong usage is JSON on stderr",
  async () => {
    using world = new ServiceWorld();
    const hooks = new HookWorld(world.home);
    for (const label of ["first", "second"]) {
      hooks.grow("some", 1_000, label);
      await hooks.hook("some");
    }
    // Its run ends at once, and can be resumed.
    world.says("code", "9");
    for (const [command, ...words] of calls) {
      const route = command.replace(/^ai-runtime /, "").split(" ");
      world.says("state", command.endsWith("service uninstall") ? gone : running);
      if (command === "ai-runtime stop") {
        world.says("stays", "");
        await world.run("run", "Do it", "--detach");
      }
      const { exitCode, stdout, stderr } = await world.run(...route, ...words, "--json");
      const values = stdout.trimEnd().split("\n");
      for (const value of values) expect([command, typeof JSON.parse(value)]).toEqual([command, "object"]);
      // A run tells one event a line; the others say one thing.
      if (!/ (run|resume)$/.test(command)) expect([command, values.length]).toEqual([command, 1]);
      if (exitCode === 0) expect([command, stderr]).toEqual([command, ""]);

      const refused = await world.run(...route, "--json", "--no-such-option", "x", "y", "z");
      expect([command, refused.exitCode, refused.stdout]).toEqual([command, 2, ""]);
      expect([command, JSON.parse(refused.stderr)]).toMatchObject([command, { error: { kind: "usage", exitCode: 2 } }]);
    }
  },
);

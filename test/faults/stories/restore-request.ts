// The request of a host to the cclaude in it: it is on disk before the host ends Claude, and holds for one end of Claude only.
import { expect } from "bun:test";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isRestoreRequested } from "../../../src/store/cclaude/restore-request.ts";
import { runProgram } from "../../support/run-program.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const eventsOf = (world: FaultWorld): string => join(world.home, "events");

/** A conversation of two turns whose second one was refused as too long. */
async function prepareFull(world: FaultWorld): Promise<void> {
  const records = [
    { type: "user", message: { role: "user", content: "one" } },
    { type: "assistant", message: { id: "m", content: [{ type: "text", text: "1" }], usage: { input_tokens: 900 } } },
    { type: "user", message: { role: "user", content: "two" } },
    {
      type: "assistant",
      isApiErrorMessage: true,
      errorDetails: "prompt is too long: 130000 tokens > 100000 maximum",
      message: { model: "<synthetic>", content: [{ type: "text", text: "Prompt is too long" }] },
    },
  ];
  const common = { sessionId: id, timestamp: "2026-11-17T10:00:00.000Z" };
  const lines = records.map((record, n) => ({
    parentUuid: n === 0 ? null : `u${n - 1}`,
    uuid: `u${n}`,
    ...common,
    ...record,
  }));
  appendFileSync(world.transcript(id), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await world.hook(id);
}

/** Compiled, because every system call of a run from source would be about its modules. */
function useProgram(world: FaultWorld): void {
  const source = join(import.meta.dir, "../programs/restore-request.ts");
  const program = join(world.root, "restore-request");
  if (!existsSync(program)) {
    const build = Bun.spawnSync(["bun", "build", "--compile", source, "--outfile", program]);
    expect(build.exitCode, build.stderr.toString()).toBe(0);
  }
  world.program = program;
}

const commandOf = (world: FaultWorld, what: "ask" | "take"): Command => ({ words: [what, eventsOf(world), id] });

const again = async (world: FaultWorld, what: "ask" | "take"): Promise<string> =>
  (await runProgram([world.program, ...commandOf(world, what).words], { env: world.env, cwd: world.directory })).stdout;

const asks: Story = {
  title: "restore key in a host",
  leavesTemporaries: true,
  async prepare(world) {
    await prepareFull(world);
    mkdirSync(eventsOf(world), { mode: 0o700 });
    useProgram(world);
    return commandOf(world, "ask");
  },
  outcome: (world) => (isRestoreRequested(eventsOf(world)) ? "new" : "old"),
  async recover(world) {
    expect(await again(world, "ask")).toContain("/exit");
    expect(await again(world, "take")).toBe(`took ${id}`);
    expect(await again(world, "take")).toBe("took nothing");
  },
};

export const restoreRequestStories: readonly Story[] = [asks];

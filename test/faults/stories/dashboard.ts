// The record of the dashboard: the key of its cookies is the old or the new one at any time.
import { expect } from "bun:test";
import { join } from "node:path";
import { readDashboard, writeDashboard } from "../../../src/store/dashboard/dashboard-record.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const rootOf = (world: FaultWorld): string => join(world.home, ".local/state/ai-runtime");
const oldKey = "a".repeat(64);

const forget: Story = {
  title: "dashboard forget",
  async prepare(world) {
    writeDashboard(rootOf(world), { version: 1, key: oldKey, running: null });
    return { words: ["dashboard", "forget"] };
  },
  outcome(world) {
    const record = readDashboard(rootOf(world));
    if (!record) throw new Error("the record of the dashboard is lost");
    return record.key === oldKey ? "old" : "new";
  },
  async recover(world) {
    const { exitCode, stderr } = await world.aiRuntime(["dashboard", "forget"]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("needs a new link")]);
    expect(readDashboard(rootOf(world))?.key).not.toBe(oldKey);
  },
};

export const dashboardStories: readonly Story[] = [forget];

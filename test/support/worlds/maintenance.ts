import { existsSync } from "node:fs";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { maintain, type MaintenanceReport } from "../../../src/app/maintenance/maintain.ts";
import type { HookWorld } from "./hook-world.ts";

/** Turns the current content of a session into a past generation and starts a new one. Returns the old content. */
export async function rewriteSession(world: HookWorld, id: string): Promise<Buffer> {
  const before = world.read(id);
  world.overwrite(id, "");
  world.grow(id, 50_000, "another beginning");
  await world.hook(id);
  return before;
}

export function runMaintenance(world: HookWorld, more: Record<string, string> = {}): MaintenanceReport {
  const report = maintain(currentEnvironment({ ...world.env, ...more }));
  if (!report) throw new Error("another maintenance run is active");
  return report;
}

export const isPacked = (world: HookWorld, id: string): boolean =>
  existsSync(`${world.files.mirrorPath(id)}.zst`) && !existsSync(world.files.mirrorPath(id));

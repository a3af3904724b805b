import type { HookWorld } from "./hook-world.ts";

/** Gives a session two marks. */
export async function takeTwoMarks(world: HookWorld, sessionId: string): Promise<void> {
  world.grow(sessionId, 5_000);
  await world.hook(sessionId);
  world.grow(sessionId, 5_000, "second");
  await world.hook(sessionId);
}

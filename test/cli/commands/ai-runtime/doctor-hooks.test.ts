import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { DoctorWorld, type Finding, only } from "../../../support/worlds/doctor-world.ts";

describe("doctor and the hooks", () => {
  test("calls the installed hook: a dangling one is broken, and an install fixes it", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    writeFileSync(world.settings, world.text().replaceAll(world.program, "/nowhere/ai-runtime"));
    const [hook] = await world.findings("hooks");
    expect(hook).toMatchObject({ state: "broken", message: expect.stringContaining("took no snapshot") });
    world.applyFix(hook as Finding);
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test("accepts the hooks of Claude Code's plugin while it is enabled", async () => {
    using world = new DoctorWorld();
    for (const [enabled, state] of [
      [true, "good"],
      [false, "broken"],
    ] as const) {
      writeFileSync(world.settings, JSON.stringify({ enabledPlugins: { "ai-runtime@ai-runtime": enabled } }));
      expect(only(await world.findings("hooks")).state).toBe(state);
    }
  });

  test("reports hooks that differ from those of an install", async () => {
    using world = new DoctorWorld();
    world.placeClaude("2.1.36");
    await world.run("install");
    world.placeClaude("2.1.326");
    const [, changed] = await world.findings("hooks");
    expect(changed).toMatchObject({ state: "doubtful", message: expect.stringContaining("add StopFailure hook") });
    world.applyFix(changed as Finding);
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test.each(["Stop", "PreCompact"])("reports that the hook for %s was removed by hand", async (event) => {
    using world = new DoctorWorld();
    await world.run("install");
    const settings = JSON.parse(world.text());
    delete settings.hooks[event];
    writeFileSync(world.settings, JSON.stringify(settings));
    const [called, changed] = await world.findings("hooks");
    expect(called).toMatchObject({ state: "good", message: `${world.program} hook was called and took a snapshot` });
    expect(changed).toMatchObject({ state: "doubtful", message: expect.stringContaining(`add ${event} hook`) });
    world.applyFix(changed as Finding);
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test("suggests no other hooks while the version of claude is unknown", async () => {
    using world = new DoctorWorld();
    await world.run("install");
    world.env["PATH"] = `${world.bin}:/usr/bin:/bin`;
    expect(only(await world.findings("hooks")).state).toBe("good");
  });

  test.each([
    ["a comment, at which Claude stops reading", (text: string) => text.replace("{", "{ // mine\n"), "strict JSON"],
    ["all hooks switched off", (text: string) => text.replace("{", '{ "disableAllHooks": true,'), "disableAllHooks"],
  ])("settings with %s", async (_name, change, says) => {
    using world = new DoctorWorld();
    await world.run("install");
    writeFileSync(world.settings, change(world.text()));
    const [obstacle] = await world.findings("hooks");
    expect(obstacle).toMatchObject({ state: "broken", message: expect.stringContaining(says) });
  });
});

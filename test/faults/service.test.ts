// The installation or removal of a service, or of the start at login, that is killed, or fails, at each of its system calls.
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { gone, running, ServiceWorld } from "../support/service/service-world.ts";
import { inFull } from "./extent.ts";
import { straceProblem, trace } from "./strace.ts";

const steps = ["pwrite64", "fsync", "fdatasync", "rename", "mkdir", "link"];
/** Above the number of calls that the command makes, so that an endless loop fails the test. */
const maxCalls = 60;

/** A temporary file that a kill left beside its target; no command reads it. */
const isTemporary = (path: string): boolean => /\/\.[^/]*\.tmp-\d+-\d+$/.test(path);

const filesOf = (world: ServiceWorld): [string, string][] =>
  Object.entries(world.files()).filter(([path]) => !isTemporary(path) && !path.includes("/locks/"));

async function atEveryStep(
  verb: "install" | "uninstall",
  effect: string,
  check: (world: ServiceWorld, before: [string, string][], at: string) => Promise<void>,
): Promise<number> {
  let points = 0;
  for (const call of verb === "install" ? steps : ["unlink", "rmdir", "fsync"]) {
    for (let nth = 1; ; nth++) {
      expect(nth).toBeLessThan(maxCalls);
      using world = new ServiceWorld();
      world.writeControl("state", running);
      const before = filesOf(world);
      if (verb === "uninstall") {
        await world.run("service", "install");
        world.writeControl("state", gone);
      }
      const fault = { call, nth, effect };
      const env = { HOME: world.home, TZ: "UTC", ...world.env };
      const command = [world.program, "service", verb, world.workspace];
      const { killed, calls } = await trace(command, { paths: [], calls: [call], fault, env });
      if (!killed && calls.length < nth) break;
      points++;
      await check(world, before, `${effect} at ${call} ${nth}`);
    }
  }
  return points;
}

describe.skipIf(straceProblem !== undefined)(`at every step${straceProblem ? ` (${straceProblem})` : ""}`, () => {
  test.each(["error=EIO", "error=ENOSPC"])("%s: nothing is changed, or everything is installed", async (effect) => {
    const points = await atEveryStep("install", effect, async (world, before, at) => {
      const after = filesOf(world);
      const isInstalled = after.length === before.length + 3;
      if (!isInstalled) expect([at, after]).toEqual([at, before]);
      expect([at, (await world.run("service", "install")).exitCode]).toEqual([at, 0]);
    });
    expect(points).toBeGreaterThan(8);
  });

  test("a second install finishes a killed one, and uninstall leaves nothing", async () => {
    const points = await atEveryStep("install", "signal=SIGKILL", async (world, before, at) => {
      expect([at, (await world.run("service", "install")).exitCode]).toEqual([at, 0]);
      expect([at, filesOf(world).length]).toEqual([at, before.length + 3]);
      world.writeControl("state", gone);
      expect([at, (await world.run("service", "uninstall")).exitCode]).toEqual([at, 0]);
      expect([at, filesOf(world)]).toEqual([at, before]);
      rmSync(join(world.control, "calls"), { force: true });
    });
    expect(points).toBeGreaterThan(8);
  });

  test("a second uninstall finishes a killed one", async () => {
    const points = await atEveryStep("uninstall", "signal=SIGKILL", async (world, before, at) => {
      const { exitCode } = await world.run("service", "uninstall", world.workspace);
      // Exit code 4: the killed uninstall had already removed all but empty directories.
      expect([at, [0, 4].includes(exitCode ?? -1)]).toEqual([at, true]);
      expect([at, filesOf(world)]).toEqual([at, before]);
    });
    expect(points).toBeGreaterThan(8);
  });

  describe("the start at login", () => {
    /** Every call in the full form; otherwise some. */
    const stride = inFull ? 1 : 5;

    /** In a world whose hooks are installed already, so that the faults hit the start at login. */
    async function atEveryLoginStep(
      effect: string,
      check: (world: ServiceWorld, before: [string, string][], at: string) => Promise<void>,
    ): Promise<void> {
      let points = 0;
      for (const call of steps) {
        for (let nth = 1; ; nth += stride) {
          expect(nth).toBeLessThan(maxCalls);
          using world = new ServiceWorld();
          await world.run("install");
          const before = filesOf(world);
          const env = { HOME: world.home, TZ: "UTC", ...world.env };
          const command = [world.program, "install", "--at-login"];
          const fault = { call, nth, effect };
          const { killed, calls } = await trace(command, { paths: [], calls: [call], fault, env });
          if (!killed && calls.length < nth) break;
          points++;
          world.writeControl("state", gone);
          await check(world, before, `${effect} at ${call} ${nth}`);
        }
      }
      expect(points).toBeGreaterThan(4);
    }

    test.each(["error=EIO", "error=ENOSPC"])("%s: nothing is changed, or everything is installed", async (effect) => {
      await atEveryLoginStep(effect, async (world, before, at) => {
        const after = filesOf(world);
        // Record, wrapper, unit, and the record of the present boot.
        if (after.length !== before.length + 4) expect([at, after]).toEqual([at, before]);
        expect([at, (await world.run("install", "--at-login")).exitCode]).toEqual([at, 0]);
      });
    });

    test("a second install of the start at login finishes a killed one, and uninstall leaves nothing", async () => {
      let repeats = false;
      await atEveryLoginStep("signal=SIGKILL", async (world, before, at) => {
        // A user may repeat the command, or remove what is there.
        repeats = !repeats;
        if (repeats) {
          expect([at, (await world.run("install", "--at-login")).exitCode]).toEqual([at, 0]);
          expect([at, filesOf(world).length]).toEqual([at, before.length + 4]);
        }
        expect([at, (await world.run("uninstall", "--at-login")).exitCode]).toEqual([at, 0]);
        expect([at, filesOf(world)]).toEqual([at, before]);
      });
    });
  });
});

import { expect, setDefaultTimeout, test } from "bun:test";
import { endProcess, signalProcess } from "../../src/io/end-process.ts";
import { identifyProcess, isSameProcess, type ProcessIdentity } from "../../src/io/process.ts";

setDefaultTimeout(60_000);

/** A program that is a group of its own and says so when it is ready. */
async function start(script: string): Promise<{ child: Bun.Subprocess; identity: ProcessIdentity }> {
  const child = Bun.spawn(["sh", "-c", `${script}\necho ready; while :; do sleep 0.05; done`], {
    detached: true,
    stdout: "pipe",
  });
  for await (const bytes of child.stdout) if (new TextDecoder().decode(bytes).includes("ready")) break;
  const identity = identifyProcess(child.pid);
  if (!identity) throw new Error("it is not there");
  return { child, identity };
}

test.skipIf(process.platform === "win32")(
  "nobody is ended who only has the number of the one that is meant",
  async () => {
    const { child, identity } = await start(":");
    try {
      for (const other of [
        { ...identity, startTime: "0" },
        { ...identity, bootId: "another" },
      ]) {
        expect(signalProcess(other, "SIGTERM")).toBe(false);
        await endProcess(other, 0);
        expect(isSameProcess(identity)).toBe(true);
      }
      expect(signalProcess(identity, "SIGTERM")).toBe(true);
      await child.exited;
      expect(signalProcess(identity, "SIGTERM")).toBe(false);
    } finally {
      child.kill("SIGKILL");
    }
  },
);

test.skipIf(process.platform === "win32")(
  "who does not end when asked is killed, with all that it started",
  async () => {
    const { child, identity } = await start("trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) &");
    const inGroup = (): string => Bun.spawnSync(["pgrep", "-g", String(identity.pid)]).stdout.toString();
    try {
      expect(inGroup().trim().split("\n").length).toBeGreaterThan(1);
      await endProcess(identity, 100);
      expect(isSameProcess(identity)).toBe(false);
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
      for (let tries = 0; inGroup() !== "" && tries < 500; tries++) await Bun.sleep(10);
      expect(inGroup()).toBe("");
    } finally {
      Bun.spawnSync(["pkill", "-KILL", "-g", String(identity.pid)]);
    }
  },
);

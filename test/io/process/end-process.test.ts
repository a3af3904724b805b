import { expect, test } from "bun:test";
import { endProcess, signalProcess } from "../../../src/io/process/end-process.ts";
import { identifyProcess, isSameProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";
import { until } from "../../support/until.ts";

/** A program in its own process group, which prints a line when it is ready. */
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

test.skipIf(process.platform === "win32")("does not end another process with the same pid", async () => {
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
});

test.skipIf(process.platform === "win32")("kills a process that ignores SIGTERM, with its children", async () => {
  const { child, identity } = await start("trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) &");
  const inGroup = (): string => Bun.spawnSync(["pgrep", "-g", String(identity.pid)]).stdout.toString();
  try {
    expect(inGroup().trim().split("\n").length).toBeGreaterThan(1);
    await endProcess(identity, 100);
    expect(isSameProcess(identity)).toBe(false);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    await until(() => inGroup() === "", "the end of its children");
  } finally {
    Bun.spawnSync(["pkill", "-KILL", "-g", String(identity.pid)]);
  }
});

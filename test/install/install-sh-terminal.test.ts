import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InstallWorld } from "../support/install/install-world.ts";
import { ReleaseHost } from "../support/install/release-host.ts";
import { createSandbox } from "../support/sandbox/sandbox.ts";
import { Tmux, tmuxMissing } from "../support/terminal/tmux.ts";

const script = join(import.meta.dir, "../../install.sh");

test.skipIf(tmuxMissing() !== undefined)(
  "install.sh from a pipe asks at the terminal and accepts no as an answer",
  async () => {
    using host = new ReleaseHost();
    host.publish("1.0.0", host.standIn("1.0.0"));
    await using sandbox = await createSandbox({ claude: "none" });
    const startfile = join(sandbox.home, ".bashrc");
    writeFileSync(startfile, "# mine\n");
    const calls = (): string => readFileSync(join(sandbox.home, "calls"), "utf8");
    await using terminal = new Tmux(sandbox, { AI_RUNTIME_BASE_URL: host.url }, { columns: 160, rows: 50 });
    await terminal.until(/READY>/);
    const answer = async (command: string, question: RegExp, word: string, after: RegExp): Promise<void> => {
      terminal.type(`clear; ${command}`);
      terminal.press("Enter");
      await terminal.until((screen) => question.test(screen.trimEnd().split("\n").at(-1) ?? ""), String(question));
      terminal.type(word);
      terminal.press("Enter");
      await terminal.until((screen) => after.test(screen) && screen.trimEnd().endsWith("READY>"), String(after));
    };
    const pipe = (options: string): string => `cat ${script} | sh -s -- ${options}`;
    await answer(pipe(""), /not on your PATH\. Add it in .*\.bashrc\? \[y\/N\]/, "n", /Add this line to .*\.bashrc:/);
    expect(readFileSync(startfile, "utf8")).toBe("# mine\n");
    await answer(pipe(""), /Add it in .*\.bashrc\? \[y\/N\]/, "y", /Edited .*\.bashrc/);
    expect(readFileSync(startfile, "utf8")).toContain("# >>> ai-runtime >>>\nexport PATH=");
    await answer(pipe("--uninstall"), /Delete the snapshots .*\[y\/N\]/, "", /Snapshots are kept in .*\nUninstalled\./);
    expect(calls()).not.toContain("clean");
    expect(readFileSync(startfile, "utf8")).toBe("# mine\n");
    await answer(pipe(""), /Add it in .*\.bashrc\? \[y\/N\]/, "n", /Next: ai-runtime doctor/);
    await answer(pipe("--uninstall"), /Delete the snapshots .*\[y\/N\]/, "yes", /Uninstalled\./);
    expect(calls()).toContain("1.0.0 session-snapshot clean --all --yes\n");
  },
);

describe.skipIf(process.platform === "win32")("install.sh interrupted during the download", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("by %s leaves nothing behind", async (signal) => {
    using world = new InstallWorld();
    world.host.publish("1.0.0", world.host.standIn("1.0.0"));
    await world.pipe();
    const before = world.tree();
    world.host.fault = (path) => (path.includes(".tar.") ? "stall" : undefined);
    const asked = Promise.withResolvers<void>();
    world.host.onRequest = (path) => path.includes(".tar.") && asked.resolve();
    const child = Bun.spawn(["sh", join(world.root, "install.sh")], {
      env: world.env,
      cwd: world.home,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
    });
    await asked.promise;
    expect(existsSync(join(world.bin, `.ai-runtime-install.${child.pid}`))).toBe(true);
    // Like a terminal, signals the whole process group.
    process.kill(-child.pid, signal);
    expect(await child.exited).not.toBe(0);
    expect(world.tree()).toEqual(before);
  });
});

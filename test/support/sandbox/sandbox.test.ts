// Tests the sandbox itself.
import { expect, onTestFinished, test } from "bun:test";
import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claudeVersions } from "./claude-versions.ts";
import { leftoverProcesses } from "./leftover-processes.ts";
import { createSandbox } from "./sandbox.ts";

test("the developer's environment does not reach programs in the sandbox", async () => {
  Object.assign(process.env, { ANTHROPIC_API_KEY: "sk-ant-developer", CLAUDECODE: "1" });
  onTestFinished(() => {
    delete process.env["ANTHROPIC_API_KEY"];
    delete process.env["CLAUDECODE"];
  });
  await using sandbox = await createSandbox({ claude: "none" });

  const { stdout } = await sandbox.run(["env"]);

  expect(stdout).not.toMatch(/ANTHROPIC|CLAUDE|sk-ant-developer/);
  expect(stdout).toContain(`HOME=${sandbox.home}\n`);
});

test("the project is a git repository with one commit and uses no other git configuration", async () => {
  await using sandbox = await createSandbox({ claude: "none" });

  const log = await sandbox.run(["git", "log", "--format=%an %s"]);
  const origins = await sandbox.run(["git", "config", "--list", "--show-origin", "--name-only"]);

  expect(log.stdout).toBe("Test Start\n");
  const files = origins.stdout.split("\n").map((line) => line.split("\t")[0]);
  expect(new Set(files)).toEqual(new Set([`file:${sandbox.home}/.gitconfig`, "file:.git/config", ""]));
});

test.each([...claudeVersions])("`claude` is version %s", async (version) => {
  await using sandbox = await createSandbox({ claude: version });
  expect(await sandbox.run(["claude", "--version"])).toMatchObject({
    exitCode: 0,
    stdout: `${version} (Claude Code)\n`,
  });
});

test("a connection to the outside is refused and recorded", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const connectOutside = `fetch("https://outside.invalid/").then(() => process.exit(1), () => process.exit(0))`;

  expect(await sandbox.run([process.execPath, "-e", connectOutside])).toMatchObject({ exitCode: 0 });

  expect(sandbox.outsideAttempts).toEqual(["CONNECT outside.invalid:443 HTTP/1.1"]);
});

test("our programs are on the PATH under all three names", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const program = join(sandbox.root, "program");
  await writeFile(program, `#!/bin/sh\nbasename "$0"\n`, { mode: 0o755 });

  await sandbox.installBinaries(program);

  for (const name of ["ai-runtime", "cclaude", "session-snapshot"]) {
    expect(await sandbox.run([name])).toMatchObject({ exitCode: 0, stdout: `${name}\n` });
  }
  expect((await stat(program)).nlink).toBe(4);
});

test("a command that exceeds its timeout is killed and fails with its output", async () => {
  await using sandbox = await createSandbox({ claude: "none" });

  const run = sandbox.run(["sh", "-c", "echo waiting; sleep 600"], { timeout: 200 });

  await expect(run).rejects.toThrow(/still running after 200 ms: [^]*sleep 600/);
});

test.if(process.platform === "linux")(
  "disposing the sandbox kills every process started in it, including those in other sessions and directories",
  async () => {
    const newSession = `setsid sh -c 'echo away; while :; do sleep 600; done'`;
    let root = "";
    {
      await using sandbox = await createSandbox({ claude: "none" });
      ({ root } = sandbox);
      const started = sandbox.spawn(["sh", "-c", `cd /; ${newSession} & ${newSession} & exit 0`]);
      await started.untilOutput(/away away/);
      await started.exited;
      expect(leftoverProcesses(root).length).toBeGreaterThanOrEqual(2);
    }
    expect(leftoverProcesses(root)).toBeEmpty();
    expect(existsSync(root)).toBeFalse();
  },
);

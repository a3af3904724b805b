// A real subagent leaves a transcript of its own. When it is emptied, the snapshot brings it back, whatever hooks have seen since.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";

/** The name of the tool that starts a subagent. */
const agentTool = (version: ClaudeVersion): string => (version === "2.1.36" ? "Task" : "Agent");

const verify = async (sandbox: Sandbox, sessionId: string) => {
  const { exitCode, stdout } = await sandbox.run(["session-snapshot", "verify", sessionId, "--json"]);
  return { exitCode, sideFiles: (JSON.parse(stdout) as { sideFiles: { name: string; kind: string }[] }).sideFiles };
};

forEachClaude((version) => {
  test("an emptied transcript of a subagent is named by verify and comes back with repair", async () => {
    const input = {
      description: "look",
      prompt: "Say hello",
      subagent_type: "general-purpose",
      run_in_background: false,
    };
    await using api = await fakeAnthropic(
      story().callsTool(agentTool(version), input).says("Hello from the subagent.").says("It said hello."),
    );
    await using sandbox = await installedSandbox(version);
    expect((await sandbox.run(["session-snapshot", "install"])).exitCode).toBe(0);
    const sessionId = randomUUID();
    const run = await sandbox.claude(api, ["-p", "Ask a subagent", skipPermissions, "--session-id", sessionId]);
    expect(run).toMatchObject({ exitCode: 0, stdout: "It said hello.\n" });
    const transcript = (await sandbox.transcripts()).find((path) => path.endsWith(`${sessionId}.jsonl`));
    const side = transcript?.replace(/\.jsonl$/, "") ?? "";
    const [name = ""] = [...new Bun.Glob("subagents/*.jsonl").scanSync(side)];
    const whole = readFileSync(join(side, name), "utf8");
    expect(whole).toContain("Hello from the subagent.");
    expect(await verify(sandbox, sessionId)).toEqual({ exitCode: 0, sideFiles: [] });

    truncateSync(join(side, name), 0);
    api.plays(story().says("Later."));
    await sandbox.claude(api, ["-p", "Go on", skipPermissions, "--resume", sessionId]);

    expect(await verify(sandbox, sessionId)).toMatchObject({ exitCode: 6, sideFiles: [{ name, kind: "empty" }] });
    expect((await sandbox.run(["session-snapshot", "repair", sessionId])).exitCode).toBe(0);
    expect(readFileSync(join(side, name), "utf8")).toBe(whole);
    expect(await verify(sandbox, sessionId)).toEqual({ exitCode: 0, sideFiles: [] });
  });
});

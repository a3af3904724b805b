// restore must not replace the transcript of a session that a running claude holds.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { executable } from "../../support/executable.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

// Earlier clients do not record their running sessions.
describe.each(["2.1.326", "2.1.197"] as const)("Claude Code %s", (version) => {
  test("restore refuses while claude holds the session, obeys --force, and works again after kill -9", async () => {
    const sessionId = randomUUID();
    const arguments_ = ["--dangerously-skip-permissions", "-p"];
    await using api = await fakeAnthropic(story().says("Noted."));
    await using sandbox = await createSandbox({ claude: version });
    await sandbox.installBinaries(executable);
    await sandbox.run(["session-snapshot", "install"]);
    const first = await sandbox.claude(api, [...arguments_, "remember this", "--session-id", sessionId]);
    expect(first).toMatchObject({ exitCode: 0, stdout: "Noted.\n" });
    const [transcript = ""] = await sandbox.transcripts();
    const before = readFileSync(transcript);

    api.plays(story().hangs());
    const running = sandbox.startClaude(api, [...arguments_, "go on", "--resume", sessionId]);
    await api.request(2);
    // Without a new line in the transcript the restore has nothing to replace, and undo nothing to reverse.
    await untilTranscript(sandbox, "go on");
    const words = ["restore", sessionId, "--to", "1"] as const;
    const refused = await sandbox.run(["session-snapshot", ...words]);
    expect(refused).toMatchObject({ exitCode: 5, stdout: "" });
    expect(refused.stderr).toMatch(
      /^session-snapshot: a running claude \(process \d+\) holds session .*\nExit it first/,
    );
    expect(await sandbox.run(["session-snapshot", "undo", sessionId])).toMatchObject({ exitCode: 4 });
    expect(await sandbox.run(["session-snapshot", ...words, "--force"])).toMatchObject({ exitCode: 0 });

    running.signalGroup("SIGKILL");
    await running.exited;
    expect(await sandbox.run(["session-snapshot", "undo", sessionId])).toMatchObject({ exitCode: 0 });
    expect(await sandbox.run(["session-snapshot", ...words])).toMatchObject({ exitCode: 0 });
    expect(before.subarray(0, readFileSync(transcript).length).equals(readFileSync(transcript))).toBe(true);
  });
});

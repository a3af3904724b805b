// How the clients handle answers that hang, break off, or carry usage and limit data.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { forEachClaude, type PinnedVersion } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { conversation, finalError } from "../../support/transcripts/transcript-records.ts";

const streamJson = ["--output-format", "stream-json", "--verbose"];
const resetsAt = Math.floor(Date.now() / 1000) + 7200;

// The message depends on a race: whether the client saw the answer begin before the cut.
const dropped: Readonly<Record<PinnedVersion, { readonly says: RegExp; readonly error: string }>> = {
  "2.1.326": {
    says: /^API Error: (Connection to the API was lost|Unable to connect to API) \(ECONNRESET\)/,
    error: "server_error",
  },
  "2.1.197": {
    says: /^API Error: (Connection to the API was lost|Unable to connect to API) \(ECONNRESET\)/,
    error: "server_error",
  },
  "2.1.36": { says: /^API Error: (terminated|Unable to connect to API \(ECONNRESET\))$/m, error: "unknown" },
};

forEachClaude((version) => {
  test("waits for a hanging stream until the test releases it", async () => {
    await using api = await fakeAnthropic(story().hangs({ saying: "I thought about it." }));
    await using sandbox = await createSandbox({ claude: version });
    const client = sandbox.startClaude(api, ["-p", "Think"]);

    const request = await api.request(1);
    api.release();

    expect(await client.finished).toMatchObject({ exitCode: 0, stdout: "I thought about it.\n" });
    expect(await request.ended).toBe("answered");
  });

  test("disconnects visibly when it is killed during a hanging stream", async () => {
    await using api = await fakeAnthropic(story().hangs());
    await using sandbox = await createSandbox({ claude: version });
    const client = sandbox.startClaude(api, ["-p", "Think"]);

    const request = await api.request(1);
    client.signalGroup("SIGKILL");

    expect(await request.ended).toBe("client left");
    expect(await client.finished).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  test("exits with an error when the connection drops in every answer", async () => {
    await using api = await fakeAnthropic(story().drops({ times: Infinity }));
    await using sandbox = await createSandbox({ claude: version });

    const run = await sandbox.claude(api, ["-p", "Do it"]);

    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(dropped[version].says);
    const reason = finalError(await sandbox.transcript());
    expect(reason?.error).toBe(dropped[version].error);
    expect(reason?.apiErrorStatus).toBeUndefined();
    expect(reason?.apiError).toBe(version === "2.1.326" ? "connection_failed" : undefined);
  });

  test("finishes the task when the connection drops after a tool call", async () => {
    const command = "echo one > a.txt";
    await using api = await fakeAnthropic(
      story()
        .hangs({ calling: ["Bash", { command }] })
        .says("Went on."),
    );
    await using sandbox = await createSandbox({ claude: version });
    const seen = [...streamJson, "--include-partial-messages"];
    const client = sandbox.startClaude(api, ["-p", "Do it", "--dangerously-skip-permissions", ...seen]);

    await client.untilOutput(/"content_block_stop"/);
    api.drop();

    const { exitCode, stdout } = await client.finished;
    expect(exitCode).toBe(0);
    expect(events(stdout).at(-1)).toMatchObject({ type: "result", is_error: false, result: "Went on." });
    const transcript = await sandbox.transcript();
    expect(finalError(transcript)).toBeUndefined();
    // 2.1.36 sends the request again instead, so the tool never runs and no error is recorded.
    const runsTheTool = version !== "2.1.36";
    expect(transcript.some((record) => record.isApiErrorMessage === true)).toBe(runsTheTool);
    expect(await Bun.file(join(sandbox.projectDir, "a.txt")).exists()).toBe(runsTheTool);
  });

  test("retries an overloaded answer and records the reply's token usage in the transcript", async () => {
    const usage = { input: 1200, output: 34, cacheRead: 5600, cacheCreation: 78 };
    await using api = await fakeAnthropic(story().fails.overloaded().says("Fine.", { usage }));
    await using sandbox = await createSandbox({ claude: version });

    const run = await sandbox.claude(api, ["-p", "Do it"]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "Fine.\n" });
    expect(api.mainRequests.map(({ answer }) => answer?.kind)).toEqual(["failure", "message"]);
    expect(conversation(await sandbox.transcript()).at(-1)?.message?.usage).toMatchObject({
      input_tokens: 1200,
      output_tokens: 34,
      cache_read_input_tokens: 5600,
      cache_creation_input_tokens: 78,
    });
  });

  test("reports the limit's reset time in the stream, since 2.1.197", async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsAt }));
    await using sandbox = await createSandbox({ claude: version });

    const { exitCode, stdout } = await sandbox.claude(api, ["-p", "Do it", ...streamJson]);

    expect(exitCode).toBe(1);
    const limit = { status: "rejected", resetsAt, rateLimitType: "five_hour" };
    expect(limitEvents(stdout)).toMatchObject(version === "2.1.36" ? [] : [{ rate_limit_info: limit }]);
    expect(events(stdout).at(-1)).toMatchObject({ type: "result", subtype: "success", is_error: true });
    const quota = finalError(await sandbox.transcript())?.quotaLimits;
    if (version === "2.1.326") expect(quota).toMatchObject(limit);
    else expect(quota).toBeUndefined();
  });

  test("reports a warning before the limit in the stream of a successful run, since 2.1.197", async () => {
    const limit = { utilization: 0.93, surpassedThreshold: 0.9, resetsAt };
    await using api = await fakeAnthropic(story().says("Fine.", { limit }));
    await using sandbox = await createSandbox({ claude: version });

    const { exitCode, stdout } = await sandbox.claude(api, ["-p", "Do it", ...streamJson]);

    expect(exitCode).toBe(0);
    const warning = { ...limit, status: "allowed_warning", rateLimitType: "five_hour" };
    expect(limitEvents(stdout)).toMatchObject(version === "2.1.36" ? [] : [{ rate_limit_info: warning }]);
    expect(events(stdout).at(-1)).toMatchObject({ type: "result", is_error: false, result: "Fine." });
  });
});

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function events(stdout: string): readonly StreamEvent[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as StreamEvent);
}

function limitEvents(stdout: string): StreamEvent[] {
  return events(stdout).filter(({ type }) => type === "rate_limit_event");
}

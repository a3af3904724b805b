// Checks the fake API against the pinned clients: for each refusal, every client prints and records what it does with the
// real API.
import { describe, expect, test } from "bun:test";
import { forEachClaude, type PinnedVersion } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { Customer } from "../../support/sandbox/sandbox-environment.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story, type Story } from "../../support/anthropic/scenario.ts";
import { blocksOf, finalError } from "../../support/transcripts/transcript-records.ts";

interface Refusal {
  readonly of: string;
  readonly story: () => Story;
  readonly as?: Customer;
  readonly status: number;
  /** The transcript's `error`; 2.1.36 knows fewer kinds and records `errorBefore` instead. */
  readonly error: string;
  readonly errorBefore?: string;
  readonly says: RegExp | Readonly<Record<PinnedVersion, RegExp>>;
  /** Main requests until the client gives up, with one retry allowed. */
  readonly requests: number;
}

const clock = String.raw`\d{1,2}(:\d\d)?[ap]m \(UTC\)`;
const always = { times: Infinity };

const refusals: readonly Refusal[] = [
  {
    of: "a subscriber's five-hour limit",
    story: () => story().fails.limit({ resetsInSeconds: 3600 }),
    status: 429,
    error: "rate_limit",
    says: {
      "2.1.326": new RegExp(`^You've hit your 5-hour limit · resets ${clock}$`),
      "2.1.197": new RegExp(`^You've hit your session limit · resets ${clock}$`),
      "2.1.36": new RegExp(`^You've hit your session limit · resets ${clock}$`),
    },
    requests: 1,
  },
  {
    of: "a five-hour limit with extra usage switched off",
    story: () =>
      story().fails.limit({
        resetsInSeconds: 3600,
        overage: { status: "rejected", disabledReason: "org_level_disabled" },
      }),
    status: 429,
    error: "rate_limit",
    says: {
      "2.1.326": new RegExp(`^You've hit your 5-hour limit · resets ${clock}$`),
      "2.1.197": new RegExp(`^You've hit your session limit · resets ${clock}$`),
      "2.1.36": new RegExp(`^You've hit your limit · resets ${clock}$`),
    },
    requests: 1,
  },
  {
    of: "a subscriber's weekly limit",
    story: () => story().fails.limit({ window: "seven_day", resetsInSeconds: 300_000 }),
    status: 429,
    error: "rate_limit",
    says: new RegExp(String.raw`^You've hit your weekly limit · resets [A-Z][a-z]{2} \d{1,2}, ${clock}$`),
    requests: 1,
  },
  {
    of: "an API customer's rate limit",
    story: () => story().fails.apiKeyLimit(always),
    as: "api-key",
    status: 429,
    error: "rate_limit",
    errorBefore: "unknown",
    says: {
      "2.1.326": /^API Error: Request rejected \(429\) · /,
      "2.1.197": /^API Error: Request rejected \(429\) · /,
      "2.1.36": /^API Error: 429 \{"type":"error",/,
    },
    requests: 2,
  },
  {
    of: "an overloaded API",
    story: () => story().fails.overloaded(always),
    status: 529,
    error: "server_error",
    errorBefore: "unknown",
    says: {
      "2.1.326": /^API Error: 529 Overloaded\. This is a server-side issue, usually temporary/,
      "2.1.197": /^API Error: 529 Overloaded\. This is a server-side issue, usually temporary/,
      "2.1.36": /^API Error: 529 \{"type":"error",/,
    },
    requests: 2,
  },
  {
    of: "a server error",
    story: () => story().fails.serverError(always),
    status: 500,
    error: "server_error",
    errorBefore: "unknown",
    says: {
      "2.1.326": /^API Error: 500 Internal server error\. This is a server-side issue/,
      "2.1.197": /^API Error: 500 Internal server error\. This is a server-side issue/,
      "2.1.36": /^API Error: 500 \{"type":"error",/,
    },
    requests: 2,
  },
  {
    of: "a wrong API key",
    story: () => story().fails.unauthorized(always),
    as: "api-key",
    status: 401,
    error: "authentication_failed",
    says: /^Invalid API key · Fix external API key$/,
    requests: 2,
  },
  {
    of: "a subscriber's expired login",
    story: () => story().fails.unauthorized(always),
    status: 401,
    error: "authentication_failed",
    says: {
      "2.1.326": /^Failed to authenticate\. API Error: 401 Invalid bearer token$/,
      "2.1.197": /^Failed to authenticate\. API Error: 401 Invalid bearer token$/,
      "2.1.36": /^Failed to authenticate\. API Error: 401 \{"type":"error",/,
    },
    requests: 2,
  },
  {
    of: "an empty credit balance",
    story: () => story().fails.creditBalance(always),
    as: "api-key",
    status: 400,
    error: "billing_error",
    says: /^Credit balance is too low$/,
    requests: 1,
  },
];

forEachClaude((version) => {
  describe("exits with code 1 and reports the reason on stdout and in the transcript", () => {
    test.each(refusals)("for $of", async ({ story, as = "subscriber", status, error, errorBefore, says, requests }) => {
      await using api = await fakeAnthropic(story());
      await using sandbox = await createSandbox({ claude: version });

      const { stdout, ...run } = await sandbox.claude(api, ["-p", "Do it"], { as });

      expect(run).toEqual({ exitCode: 1, signal: null, stderr: "" });
      const reason = finalError(await sandbox.transcript());
      expect(reason).toMatchObject({
        message: { model: "<synthetic>" },
        error: version === "2.1.36" ? (errorBefore ?? error) : error,
      });
      expect(reason?.apiErrorStatus).toBe(version === "2.1.36" ? undefined : status);
      expect(stdout).toMatch(says instanceof RegExp ? new RegExp(says, "m") : new RegExp(says[version], "m"));
      expect(stdout.trimEnd()).toBe(blocksOf(reason ?? { type: "none" })[0]?.text ?? "no text");
      expect(api.mainRequests).toHaveLength(requests);
    });
  });
});

import type { FinalError } from "../../core/restart/final-error.ts";

export type ErrorKind = Exclude<FinalError["kind"], "other">;

/** A special limit is waited for only when it states a reset; a rate limit without one is a failure of the API. */
export const specialLimits = ["model-limit", "spend-limit", "rate-limit"] as const;

/** One way in which a client words an error. */
type ErrorWording = readonly [
  /** Anchored at the start: further back in a text the same words are a quote. */
  pattern: RegExp,
  /** Client versions whose output or source has the wording. */
  seenIn: string,
  example: string,
];

const models = "(?:Fable|Haiku|Mythos|Opus|Sonnet)";
const money = String.raw`(?:.*\bspend limit|(?:individual|.*monthly) usage limit|.*\bgroup budget)`;

/** What a client's error text means. A new wording is one new line; the test checks its example. */
export const errorWordings: Readonly<Record<ErrorKind | (typeof specialLimits)[number], readonly ErrorWording[]>> = {
  "too-long": [
    [/^Prompt is too long/i, "2.1.36-2.1.326", "Prompt is too long"],
    [/^Conversation too long/i, "2.1.36-2.1.326", "Conversation too long. Press esc twice"],
    [/^Error during compaction/i, "2.1.36-2.1.326", "Error during compaction: Error: Conversation too long"],
  ],
  billing: [[/^Credit balance is too low/, "2.1.36-2.1.326", "Credit balance is too low"]],
  authentication: [
    [/^Invalid API key/, "2.1.36-2.1.326", "Invalid API key · Please run /login"],
    [/^Not logged in/, "2.1.36-2.1.326", "Not logged in · Please run /login"],
    [/^Please run \/login(?! · API Error: 403)/, "2.1.36-2.1.326", "Please run /login · API Error: 401"],
    [/^Failed to authenticate(?!\. API Error: 403)/, "2.1.36-2.1.326", "Failed to authenticate. API Error: 401"],
    [
      /^Your account does not have access to Claude\./,
      "2.1.36-2.1.197",
      "Your account does not have access to Claude.",
    ],
    [/^API Error: 401\b/, "1.0.128-2.0.10", "API Error: 401 Unauthorized"],
  ],
  permission: [
    [
      /^Failed to authenticate\. API Error: 403\b/,
      "2.1.36-2.1.326",
      "Failed to authenticate. API Error: 403 Usage is paused",
    ],
    [
      /^Please run \/login · API Error: 403\b/,
      "2.1.36-2.1.326",
      "Please run /login · API Error: 403 Request not allowed",
    ],
    [/^API Error: 403\b/, "1.0.128-2.1.326", "API Error: 403 Request not allowed"],
    [/^Usage is paused for your organization/, "2.1.326", "Usage is paused for your organization. For help, please"],
    [/^This service is disabled for your org/, "2.1.326", "This service is disabled for your org"],
  ],
  "model-limit": [
    [
      new RegExp(`^You've (?:hit|reached) your ${models}\\b.*limit`),
      "2.1.36-2.1.326",
      "You've hit your Fable limit · resets 12:16am (UTC). Switch to another model to continue.",
    ],
    [
      new RegExp(`^${models}(?: [^·\\n]{1,40})? requires usage credits`),
      "2.1.326",
      "Fable 5 requires usage credits. Switch to another model to continue.",
    ],
  ],
  "spend-limit": [
    [
      new RegExp(`^You've hit your ${money}`),
      "2.1.197-2.1.326",
      "You've hit your individual spend limit · ask your admin to raise it · your 5-hour limit resets 12:16am (UTC)",
    ],
    [/^You're out of usage credits/, "2.1.197-2.1.326", "You're out of usage credits · resets 3pm (UTC)"],
    [/^You're out of extra usage/, "2.1.36-2.1.326", "You're out of extra usage · resets 12:17am (UTC)"],
    [/^Your org is out of usage/, "2.1.326", "Your org is out of usage · add funds to continue"],
    [/^Your seat type doesn't include/, "2.1.197-2.1.326", "Your seat type doesn't include usage credits"],
    [/^Your usage allocation has been disabled/, "2.1.326", "Your usage allocation has been disabled by your admin"],
    [/^Your group's usage limit is set to/, "2.1.326", "Your group's usage limit is set to $0"],
    [
      /^API Error: \d{3}\b.*reached your specified [\w\s-]*usage limits/,
      "2.1.36-2.1.326",
      "API Error: 400 You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
    ],
    [
      /^API Error: .*\bspend limit reached/,
      "2.1.36-2.1.326",
      "API Error: Request rejected (429) · spend limit reached · resets Dec 1",
    ],
    [/^Spending cap reached/, "1.0.128-2.0.10", "Spending cap reached resets 2:25am"],
  ],
  limit: [
    [
      new RegExp(`^You've (?:hit|reached) your (?!${models}\\b|${money}).*limit`),
      "2.1.36-2.1.326",
      "You've hit your 5-hour limit · resets 2:54am (UTC)",
    ],
    [/^Session limit reached/, "1.0.128-2.0.10", "Session limit reached ∙ resets 2:28am"],
    [/^Weekly limit reached/, "1.0.128-2.0.10", "Weekly limit reached ∙ resets Nov 19, 12:48pm"],
    [/^Claude AI usage limit reached/, "1.0.50", "Claude AI usage limit reached|1794844800"],
  ],
  "rate-limit": [
    [/^API Error: 429\b(?!.*\bspend limit reached)/, "1.0.128-2.1.36", 'API Error: 429 {"type":"error"}'],
    [
      /^API Error: Request rejected \(429\)(?!.*\bspend limit reached)/,
      "2.1.197-2.1.326",
      "API Error: Request rejected (429) · Number of request tokens has exceeded your rate limit",
    ],
    [
      /^API Error: Server is temporarily limiting requests/,
      "2.1.197-2.1.326",
      "API Error: Server is temporarily limiting requests (not your usage limit)",
    ],
    [/^API Error: Rate limit reached/, "2.1.36", "API Error: Rate limit reached"],
  ],
  server: [
    [/^API Error: 5\d\d\b/, "2.1.36-2.1.326", "API Error: 529 Overloaded"],
    [/^API Error: terminated/, "2.1.36-2.1.326", "API Error: terminated"],
    [/^API Error: The socket connection/, "2.1.36-2.1.326", "API Error: The socket connection was closed unexpectedly"],
    [/^API Error: Connection/, "2.1.36-2.1.326", "API Error: Connection error."],
    [/^API Error: Request timed out/, "2.1.36-2.1.326", "API Error: Request timed out."],
    [/^API Error: Unable to connect/, "2.1.36-2.1.326", "API Error: Unable to connect to API (ECONNREFUSED)"],
    [/^API Error: fetch failed/, "2.1.36-2.1.326", "API Error: fetch failed"],
  ],
};

/** The API's own sentence, in the error's details: how many tokens the prompt has and how many it may have. */
export const tooManyTokens = /prompt is too long: \d+ tokens/;
export const maximumTokens = /\d+ tokens > (\d+) maximum/;

/** Starts every error that the client passes on from the API. */
export const apiErrorPrefix = "API Error:";

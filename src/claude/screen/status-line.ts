import type { Usage, UsageWindow, WindowUsage } from "../../core/checkpoint/usage.ts";
import { asObject, asText, parseObject } from "../json-object.ts";

/** The stdin JSON of the status line command. */
export interface StatusLineInput {
  sessionId: string;
  transcriptPath: string | undefined;
  directory: string | undefined;
  cwd: string | undefined;
  /** Null before the first answer and in old versions. */
  contextPercent: number | null;
  /** Tokens that the context holds; undefined in old versions. */
  contextWindow: number | undefined;
  /** Only for subscribers, after the first answer; sometimes missing even then. */
  usage: Usage;
}

export function parseStatusLine(text: string): StatusLineInput | undefined {
  const fields = parseObject(text);
  const sessionId = asText(fields?.["session_id"]);
  if (!fields || sessionId === undefined) return undefined;
  const workspace = asObject(fields["workspace"]);
  const cwd = asText(fields["cwd"]) ?? asText(workspace?.["current_dir"]);
  const limits = asObject(fields["rate_limits"]);
  const context = asObject(fields["context_window"]);
  return {
    sessionId,
    transcriptPath: asText(fields["transcript_path"]),
    directory: asText(workspace?.["project_dir"]) ?? cwd,
    cwd,
    contextPercent: percent(context?.["used_percentage"]),
    contextWindow: tokens(context?.["context_window_size"]),
    usage: usageOf((window) => {
      const info = asObject(limits?.[window]);
      return windowUsage(percent(info?.["used_percentage"]), info?.["resets_at"]);
    }),
  };
}

/** The usage in a limit event of the stream of `claude -p`; undefined for other events. */
export function parseRateLimitEvent(event: unknown): Usage | undefined {
  const fields = asObject(event);
  const info = fields?.["type"] === "rate_limit_event" ? asObject(fields["rate_limit_info"]) : undefined;
  if (!info) return undefined;
  const unified = asObject(info["unifiedWindows"]);
  return usageOf((window) => {
    // Before 2.1.325 the event contains only the window that it is about.
    const own = asObject(unified?.[window]) ?? (info["rateLimitType"] === window ? info : undefined);
    const share = own?.["utilization"] ?? (own?.["status"] === "rejected" ? 1 : undefined);
    return windowUsage(typeof share === "number" ? percent(share * 100) : null, own?.["resetsAt"]);
  });
}

const tokens = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

function usageOf(read: (window: UsageWindow) => WindowUsage | undefined): Usage {
  const fiveHour = read("five_hour");
  const sevenDay = read("seven_day");
  return { ...(fiveHour ? { five_hour: fiveHour } : {}), ...(sevenDay ? { seven_day: sevenDay } : {}) };
}

function windowUsage(used: number | null, resets: unknown): WindowUsage | undefined {
  if (used === null) return undefined;
  return { percent: used, resetsAt: typeof resets === "number" && resets > 0 && resets < 1e11 ? resets * 1000 : null };
}

// Rounded, so that a share of 0.97 becomes 97, not 96.99….
function percent(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null;
}

import type { Usage, UsageWindow, WindowUsage } from "../core/usage.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";

/** What Claude tells its status line command on stdin. */
export interface StatusLineInput {
  sessionId: string;
  transcriptPath: string | undefined;
  directory: string | undefined;
  cwd: string | undefined;
  /** Absent before the first answer, and in old versions. */
  contextPercent: number | null;
  /** Only for subscribers, after the first answer, and sometimes missing even then. */
  usage: Usage;
}

export function parseStatusLine(text: string): StatusLineInput | undefined {
  let fields: JsonObject | undefined;
  try {
    fields = asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
  const sessionId = asText(fields?.["session_id"]);
  if (!fields || sessionId === undefined) return undefined;
  const workspace = asObject(fields["workspace"]);
  const cwd = asText(fields["cwd"]) ?? asText(workspace?.["current_dir"]);
  const limits = asObject(fields["rate_limits"]);
  return {
    sessionId,
    transcriptPath: asText(fields["transcript_path"]),
    directory: asText(workspace?.["project_dir"]) ?? cwd,
    cwd,
    contextPercent: percent(asObject(fields["context_window"])?.["used_percentage"]),
    usage: usageOf((window) => {
      const told = asObject(limits?.[window]);
      return windowUsage(percent(told?.["used_percentage"]), told?.["resets_at"]);
    }),
  };
}

/** The same, from the stream of `claude -p`: undefined when the event is another one. */
export function parseRateLimitEvent(event: unknown): Usage | undefined {
  const fields = asObject(event);
  const told = fields?.["type"] === "rate_limit_event" ? asObject(fields["rate_limit_info"]) : undefined;
  if (!told) return undefined;
  const unified = asObject(told["unifiedWindows"]);
  return usageOf((window) => {
    // Before 2.1.325 only the window that the event is about is told of.
    const own = asObject(unified?.[window]) ?? (told["rateLimitType"] === window ? told : undefined);
    const share = own?.["utilization"] ?? (own?.["status"] === "rejected" ? 1 : undefined);
    return windowUsage(typeof share === "number" ? percent(share * 100) : null, own?.["resetsAt"]);
  });
}

function usageOf(read: (window: UsageWindow) => WindowUsage | undefined): Usage {
  const fiveHour = read("five_hour");
  const sevenDay = read("seven_day");
  return { ...(fiveHour ? { five_hour: fiveHour } : {}), ...(sevenDay ? { seven_day: sevenDay } : {}) };
}

function windowUsage(used: number | null, resets: unknown): WindowUsage | undefined {
  if (used === null) return undefined;
  return { percent: used, resetsAt: typeof resets === "number" && resets > 0 && resets < 1e11 ? resets * 1000 : null };
}

// A share of 0.97 becomes 97 and not 96.99….
function percent(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null;
}

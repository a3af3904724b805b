import { configuredChannels, spooledChannels } from "../../core/notify/channels.ts";
import type { Environment } from "../environment.ts";
import { spoolOf } from "../notify/deliver.ts";
import { loadSettings } from "../settings.ts";
import { type CheckResult, ok, warning } from "./check-result.ts";

/** Delivery failures are visible only here: a run must not depend on them. */
export function checkNotifications(environment: Environment): CheckResult[] {
  const name = "notifications";
  const configured = configuredChannels(loadSettings(environment).settings);
  if (configured.length === 0) return [ok(name, "off: no channel is configured")];
  const spool = spoolOf(environment);
  const problems = spooledChannels
    .filter((channel) => configured.includes(channel))
    .flatMap((channel) => {
      const { failure } = spool.readState(channel);
      if (!failure) return [];
      const lost = failure.lost === 1 ? "1 event" : `${failure.lost} events`;
      const when = new Date(failure.time).toISOString();
      const message = `${channel}: the last message (${lost}, ${when}) was not delivered: ${failure.message}`;
      return [warning(name, message, `ai-runtime notify test --channel ${channel}`)];
    });
  return problems.length > 0 ? problems : [ok(name, `on: ${configured.join(", ")}`)];
}

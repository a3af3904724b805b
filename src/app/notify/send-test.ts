import { type Channel, configuredChannels, isTerse, type SpooledChannel } from "../../core/notify/channels.ts";
import { composeMessage, type NotifyEvent } from "../../core/notify/notification.ts";
import { terminalNotice } from "../../core/notify/terminal-notice.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { clockOf } from "./clock.ts";
import { messageFor, spoolOf } from "./deliver.ts";
import { send } from "./send.ts";

export interface TestResult {
  readonly channel: Channel;
  /** Undefined when the message was delivered. */
  readonly problem: string | undefined;
}

export interface TestReport {
  readonly results: readonly TestResult[];
  /** Settings about notifications that cannot be used. */
  readonly problems: readonly string[];
}

/** Sends a sample to each configured channel, whatever its events and the quiet hours are. `toTerminal`: undefined without a terminal. */
export async function sendTest(
  environment: Environment,
  event: NotifyEvent,
  only: Channel | undefined,
  toTerminal: ((bytes: string) => void) | undefined,
): Promise<TestReport> {
  const { settings, problems } = loadSettings(environment);
  const { now, cwd, variables } = environment;
  const sample = {
    event,
    time: now(),
    source: "run",
    id: "test",
    title: "This is a test",
    directory: cwd,
    until: null,
    need: event === "needs-you" ? "question" : null,
    cause: event === "failed" || event === "gave-up" ? "test" : null,
  } as const;
  const chosen = configuredChannels(settings).filter((channel) => only === undefined || channel === only);
  const results = await Promise.all(
    chosen.map(async (channel): Promise<TestResult> => {
      if (channel === "terminal") {
        const { title, text } = composeMessage([sample], { isTerse: isTerse(channel, settings), clock: clockOf });
        toTerminal?.(terminalNotice(settings["notify.terminalKind"], title, text));
        return { channel, problem: toTerminal ? undefined : "stderr is not a terminal" };
      }
      const sent = await send(channel, messageFor(channel, [sample], settings), { settings, variables });
      if (sent.ok) forgetFailure(environment, channel);
      return { channel, problem: sent.ok ? undefined : sent.message };
    }),
  );
  return { results, problems: problems.filter((problem) => /notify/i.test(problem)) };
}

/** `doctor` shows a failure until the channel works again. */
function forgetFailure(environment: Environment, channel: SpooledChannel): void {
  const forget = (): void => {
    const spool = spoolOf(environment);
    const { lastSent, failure } = spool.readState(channel);
    if (failure) spool.writeState(channel, { lastSent, failure: null }, environment.now());
  };
  bestEffort(environment, forget, undefined);
}

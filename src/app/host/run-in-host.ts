import { Failure } from "../../core/failure.ts";
import { protocolVersion } from "../../core/host/frames.ts";
import { messageOf } from "../../core/message-of.ts";
import { OwnTerminal } from "../../io/terminal/own-terminal.ts";
import { isTerminal } from "../../io/terminal/terminal-modes.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { type Attached, attachTo } from "./attach.ts";
import type { Hosting } from "./new-hosting.ts";
import { startTerminalHost, type TerminalHost } from "./registry.ts";

/** No host can be had. Nothing was started and nothing shown. */
export class HostUnavailable extends Failure {}

/** Starts a program in a host and attaches to it. Throws HostUnavailable when that is impossible. */
export async function runInHost(environment: Environment, hosting: Hosting): Promise<Attached> {
  requireTerminal();
  const { detachKey: key } = loadSettings(environment).settings;
  let host: TerminalHost | undefined;
  let isWelcome = false;
  const { size, settings: terminal } = OwnTerminal;
  const unmute = OwnTerminal.mute();
  try {
    host = await startTerminalHost(environment, { ...hosting, size, terminal });
    const onWelcome = (): void => void (isWelcome = true);
    const options = {
      key,
      notice: null,
      protocol: protocolVersion,
      passesSignals: true,
      onConnected: unmute,
      onWelcome,
    };
    const attached = await attachTo(host.socket, options);
    if (attached.kind === "lost" && !isWelcome) throw new Failure("failed", "the host ended before it was ready");
    return attached;
  } catch (error) {
    if (isWelcome) throw error;
    unmute();
    await host?.end();
    throw new HostUnavailable("failed", messageOf(error), { cause: error });
  }
}

export function requireTerminal(): void {
  if (isTerminal(0) && isTerminal(1)) return;
  throw new Failure("usage", "attach needs a terminal", {
    hint: "To run a task without a terminal: ai-runtime run --detach",
  });
}

import { hasFlag, isSupervisable, splitArguments } from "../../claude/argv/flags.ts";
import { chooseHosting, type HostingQuestion } from "../../core/host/choose-hosting.ts";
import { hostsByDefault } from "../../io/terminal/own-terminal.ts";
import { currentEnvironment, hostVariable } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { isAtTerminal } from "../session/at-terminal.ts";
import type { Variables } from "../../core/variables.ts";

/** Whether cclaude with these arguments runs claude in a host. */
export function wantsHost(variables: Variables, argv: readonly string[], flag: HostingQuestion["flag"]): boolean {
  const segments = splitArguments(argv);
  return chooseHosting({
    flag,
    isConversation: isSupervisable(segments),
    isPrint: hasFlag(segments, "print"),
    isAtTerminal: isAtTerminal(),
    isHosted: variables[hostVariable] !== undefined,
    isTransparent: hostsByDefault,
    settings: loadSettings(currentEnvironment(variables)).settings,
  });
}

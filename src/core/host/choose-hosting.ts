export interface HostingQuestion {
  /** Of `--direct` and `--detachable`, the last one given. */
  readonly flag: "direct" | "detachable" | undefined;
  /** Claude opens a conversation here: no subcommand, no --version, no background session. */
  readonly isConversation: boolean;
  /** `-p`: the answer goes to stdout and claude ends. */
  readonly isPrint: boolean;
  /** stdin, stdout and stderr are a terminal. */
  readonly isAtTerminal: boolean;
  /** A host started this process. */
  readonly isHosted: boolean;
  /** On this system a hosted program cannot be told from one without a host. */
  readonly isTransparent: boolean;
  readonly settings: { readonly hosting: string; readonly direct: boolean };
}

/** Whether cclaude runs claude in a host (true) or in its own terminal. */
export function chooseHosting(question: HostingQuestion): boolean {
  const { flag, settings } = question;
  if (question.isHosted || question.isPrint || !question.isConversation || flag === "direct") return false;
  if (flag === "detachable") return true;
  if (settings.direct || settings.hosting === "off") return false;
  return question.isAtTerminal && question.isTransparent;
}

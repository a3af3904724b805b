import { type Pty, startInPty } from "../../io/terminal/pty.ts";
import type { Variables } from "../../core/variables.ts";
import type { HostPlan } from "../../store/hosts/host-records.ts";
import { hostEventsVariable, hostVariable } from "../environment.ts";

export interface ProgramEvents {
  readonly onOutput: (bytes: Uint8Array) => void;
  readonly onStopped: () => void;
}

/** A program in its PTY. It may start while its host is still loading: the output until then is kept. */
export class HostedProgram {
  readonly pty: Pty;
  #events: ProgramEvents | undefined;
  #kept: Uint8Array[] = [];

  constructor({ command, name, directory, size }: HostPlan, variables: Variables) {
    this.pty = startInPty({
      command,
      name,
      variables,
      directory,
      size,
      onOutput: (bytes) => {
        if (this.#events) this.#events.onOutput(bytes);
        else this.#kept.push(bytes.slice());
      },
      onStopped: () => this.#events?.onStopped(),
    });
  }

  follow(events: ProgramEvents): void {
    this.#events = events;
    for (const bytes of this.#kept) events.onOutput(bytes);
    this.#kept = [];
  }
}

/**
 * The variables of a hosted program. One that starts in a client's terminal keeps those that describe that terminal, because
 * Claude adapts to it. cclaude removes our own before it starts claude.
 */
export function hostedEnvironment(
  variables: Variables,
  { id, startsAttached }: HostPlan,
  events: string | undefined,
): Variables {
  const kept = startsAttached ? variables : withoutTerminal(variables);
  return { ...kept, [hostVariable]: id, [hostEventsVariable]: events };
}

/** Removes variables that describe the terminal in which the host was started: another one will attach. */
function withoutTerminal(variables: Variables): Variables {
  const {
    TMUX: _,
    TMUX_PANE: _pane,
    STY: _screen,
    COLUMNS: _columns,
    LINES: _lines,
    TERM_PROGRAM: program,
    TERM_PROGRAM_VERSION: version,
    ...rest
  } = variables;
  const terminal =
    program === undefined || program === "tmux" ? {} : { TERM_PROGRAM: program, TERM_PROGRAM_VERSION: version };
  return { ...rest, ...terminal, TERM: "xterm-256color" };
}

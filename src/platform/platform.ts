import type { Variables } from "../core/variables.ts";

/** A pid is reused; together with start time and boot id it identifies one process forever. */
export type ProcessIdentity = {
  readonly pid: number;
  /** In the unit of the operating system; only compared for equality. */
  readonly startTime: string;
  readonly bootId: string;
};

/** Held until it is released or its process ends for any reason: the kernel guarantees it. */
export type FileLock = {
  release(): void;
  /** Also removes the lock file; two processes never hold two different files. */
  discard(): void;
};

/** Reads and changes the settings of a terminal. The bytes are the system's own structure. */
export type TerminalControl = {
  /** Undefined when the descriptor is not a terminal. */
  read(descriptor: number): Uint8Array | undefined;
  /** Returns whether the settings were applied. In the background this stops the process, as for every program. */
  write(descriptor: number, settings: Uint8Array): boolean;
  /** The same settings, but every byte passes unchanged in both directions. */
  makeRaw(settings: Uint8Array): Uint8Array;
  /** Our process group has the terminal. A job in the background is stopped when it changes the settings. */
  isForeground(descriptor: number): boolean;
  /** The same settings, without the echo of what is typed. */
  withoutEcho(settings: Uint8Array): Uint8Array;
  /** Our non-blocking ends of terminals; empty where they cannot be found. */
  masters(): readonly number[];
  /** Writes at once. Returns the number of bytes that the terminal accepted. */
  send(descriptor: number, bytes: Uint8Array): number;
};

export type Platform = {
  readonly name: "linux" | "darwin" | "windows";
  /** A directory can be opened and fsynced. */
  readonly syncsDirectories: boolean;
  /** Replacing or removing a file fails while another process (a virus scanner, a reader) has it open. */
  readonly cannotReplaceOpenFiles: boolean;
  /** Never waits: undefined while another process holds the lock. The parent directory must exist. */
  lockFile(path: string): FileLock | undefined;
  /** Another text after each start of the machine. Throws when it cannot be known. */
  bootId(): string;
  /** Undefined when no such process is running; throws when that cannot be known. */
  identifyProcess(pid: number): ProcessIdentity | undefined;
  /** Kills a detached process that is not yet reaped, with its process group. */
  killGroup(leader: number): void;
  /** Whether a child is stopped, as by Ctrl-Z; checked after SIGCHLD. */
  isStopped(pid: number): boolean;
  /** Whether this process was started with the signal ignored, as by nohup; must be checked before a listener is added. */
  ignores(signal: NodeJS.Signals): boolean;
  /**
   * Possible directories for the sockets of hosts, best first; check each before use. `own` is the one in our state directory.
   * Empty: the system uses named pipes.
   */
  socketDirectories(variables: Readonly<Variables>, own: string): readonly string[];
  /** The longest path of a socket, in bytes; pipes have no such limit. */
  readonly longestSocketPath: number;
  /** The user at the other end of a local connection; undefined where the system itself refuses other users. */
  peerUser(descriptor: number): number | undefined;
  /** Sends a message to the service manager, on the socket that it gave to this process; does nothing where there is none. */
  notifyManager(socket: string, message: string): void;
  /** Tests show that a program in a host cannot be told from one without: then cclaude hosts by default. */
  readonly hostsByDefault: boolean;
  /** Undefined where Bun's own raw mode must do. */
  readonly terminal: TerminalControl | undefined;
  /** The signals that a program can receive and pass on here. */
  readonly signals: readonly NodeJS.Signals[];
};

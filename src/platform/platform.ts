/** A pid alone is reused; with its start time and the boot it belongs to, it names one process for ever. */
export type ProcessIdentity = {
  readonly pid: number;
  /** In the unit of the operating system: only ever compared for equality. */
  readonly startTime: string;
  readonly bootId: string;
};

/** Held until it is released or its process ends, however it ends: the kernel keeps the account. */
export type FileLock = {
  release(): void;
  /** Removes the lock file too, without ever letting two waiters hold two different files. */
  discard(): void;
};

export const posixSignals = [
  "SIGINT",
  "SIGQUIT",
  "SIGTERM",
  "SIGHUP",
  "SIGUSR1",
  "SIGUSR2",
  "SIGCONT",
  "SIGCHLD",
] as const;

export type Platform = {
  readonly name: "linux" | "darwin" | "windows";
  /** A directory can be opened and fsynced. */
  readonly syncsDirectories: boolean;
  /** Renaming over, or removing, a file is refused while anybody (a virus scanner, a reader) has it open. */
  readonly openFilesResist: boolean;
  /** Never waits. The parent directory must exist. */
  lockFile(path: string): FileLock | "busy";
  /** Undefined when no such process is running; throws when that cannot be known. */
  identifyProcess(pid: number): ProcessIdentity | undefined;
  /** Kills a process that was started detached and is not yet reaped, with what it started. */
  killGroup(leader: number): void;
  /** Whether a child of ours is stopped, as by Ctrl-Z; asked when a signal says that something happened to a child. */
  isStopped(pid: number): boolean;
  /** Whether this process was started so that it ignores a signal, as by nohup; asked before anybody listens to it. */
  ignores(signal: NodeJS.Signals): boolean;
  /** Where the sockets of hosts may be, the best place first; each to be checked before it is used. Empty: it has pipes. */
  socketDirectories(variables: Readonly<Record<string, string | undefined>>): readonly string[];
  /** The longest path of a socket, in bytes; of a pipe there is none. */
  readonly longestSocketPath: number;
  /** Who is at the other end of a local connection; undefined where the system itself lets in nobody else. */
  peerUser(descriptor: number): number | undefined;
  /** Tells the manager of services, at the socket that it gave to this process; where there is none, nobody is told. */
  notifyManager(socket: string, message: string): void;
  /** The signals that a program here can listen to and hand on. */
  readonly signals: readonly NodeJS.Signals[];
};

import { lstatSync } from "node:fs";
import { platform } from "../platform/current.ts";
import { removeFile } from "./durable.ts";
import { refusal } from "./durable-error.ts";
import { tryFileLock } from "./file-lock.ts";

/** One end of a local connection. */
export interface Connection {
  /** Never waits; what the system does not take yet is the caller's to keep: the number of bytes taken is returned. */
  write(bytes: Uint8Array): number;
  /** Stops and goes on reading: what is not read holds the other end back. */
  pause(): void;
  resume(): void;
  /** After what was written. */
  close(): void;
}

export interface Listener {
  onData(bytes: Uint8Array): void;
  /** The other end takes bytes again. */
  onDrain(): void;
  onClose(): void;
}

export interface Door {
  /** The name on disk goes with it. */
  close(): void;
}

/** Others may not even connect: 0600, in a directory that is 0700. */
const maskForSocket = 0o177;

/**
 * Listens on a path of ours. A socket left there by a host that is dead makes room; a living one does not, and it throws. Only
 * connections of the same user are let in.
 */
export async function openDoor(path: string, enter: (connection: Connection) => Listener): Promise<Door> {
  // Two that start at once must not remove each other's: so under a lock, and only what nobody answers at.
  const lock = isPipe(path) ? undefined : tryFileLock(`${path}.lock`);
  if (lock === "busy") throw refusal("in-use", `another host is starting at ${path}`);
  try {
    await removeStale(path);
    return listen(path, enter);
  } finally {
    lock?.discard();
  }
}

function listen(path: string, enter: (connection: Connection) => Listener): Door {
  const mask = process.umask(maskForSocket);
  try {
    const server = Bun.listen<Listener | undefined>({
      unix: path,
      socket: {
        open: (socket) => {
          if (!isOurs(fileDescriptorOf(socket))) return void socket.terminate();
          socket.data = enter(asConnection(socket));
        },
        data: (socket, bytes) => socket.data?.onData(bytes),
        drain: (socket) => socket.data?.onDrain(),
        close: (socket) => socket.data?.onClose(),
        // The close that follows tells everything that we act on.
        error: () => undefined,
      },
    });
    return {
      close: () => {
        server.stop(true);
        if (isSocket(path)) removeFile(path);
      },
    };
  } finally {
    process.umask(mask);
  }
}

/** Rejects when nobody listens there. */
export async function connectTo(path: string, listener: Listener): Promise<Connection> {
  const socket = await Bun.connect<undefined>({
    unix: path,
    socket: {
      data: (_, bytes) => listener.onData(bytes),
      drain: () => listener.onDrain(),
      close: () => listener.onClose(),
      error: () => undefined,
    },
  });
  return asConnection(socket);
}

async function removeStale(path: string): Promise<void> {
  if (!isSocket(path)) return;
  if (await isListening(path)) throw refusal("in-use", `another host is listening at ${path}`);
  removeFile(path);
}

/** Its file alone says little: it is there a moment before anybody listens, and long after. */
export async function isListening(path: string): Promise<boolean> {
  try {
    const connection = await connectTo(path, { onData: () => {}, onDrain: () => {}, onClose: () => {} });
    connection.close();
    return true;
  } catch {
    return false;
  }
}

const isPipe = (path: string): boolean => path.startsWith("\\\\.\\pipe\\");
const isSocket = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;

function isOurs(descriptor: number): boolean {
  try {
    const user = platform.peerUser(descriptor);
    return user === undefined || user === process.geteuid?.();
  } catch {
    return false;
  }
}

// Bun has it and its types do not.
const fileDescriptorOf = (socket: object): number => (socket as { fd: number }).fd;

function asConnection<T>(socket: Bun.Socket<T>): Connection {
  return {
    write: (bytes) => Math.max(0, socket.write(bytes)),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.end(),
  };
}

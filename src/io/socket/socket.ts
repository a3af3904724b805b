import { lstatSync } from "node:fs";
import { platform } from "../../platform/current.ts";
import { removeFile } from "../durable/durable.ts";
import { refusal } from "../durable/durable-error.ts";
import { tryFileLock } from "../files/file-lock.ts";
import { NotOurs } from "../files/read-own-file.ts";
import { isOwnSocket, requireOwnSocket } from "./own-socket.ts";

/** One end of a local connection. */
export interface Connection {
  /** Never waits. Returns the number of bytes that the system accepted; the caller must keep the rest. */
  write(bytes: Uint8Array): number;
  /** Pauses and resumes reading: unread data slows the other end down. */
  pause(): void;
  resume(): void;
  /** Closes after all written data was sent. */
  close(): void;
}

export interface Listener {
  onData(bytes: Uint8Array): void;
  /** The other end accepts bytes again. */
  onDrain(): void;
  onClose(): void;
}

export interface SocketServer {
  /** Also removes the socket file. */
  close(): void;
}

/** Mode 0600 in a directory of mode 0700: other users cannot connect. */
const maskForSocket = 0o177;

/**
 * Listens on a path of ours. Replaces the socket of a dead host; throws when a living host listens there. Accepts only
 * connections of the same user.
 */
export async function openSocketServer(
  path: string,
  enter: (connection: Connection) => Listener,
): Promise<SocketServer> {
  // Under a lock, so that two hosts that start at the same time do not remove each other's socket.
  if (isPipe(path)) return listen(path, enter);
  const lock = tryFileLock(`${path}.lock`);
  if (!lock) throw refusal("in-use", `another host is starting at ${path}`);
  try {
    await removeStale(path);
    return listen(path, enter);
  } finally {
    lock.discard();
  }
}

function listen(path: string, enter: (connection: Connection) => Listener): SocketServer {
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
        // The close event that follows is enough.
        error: () => undefined,
      },
    });
    return {
      close: () => {
        server.stop(true);
        // Another user may have replaced the directory meanwhile.
        if (isOwnSocket(path)) removeFile(path);
      },
    };
  } finally {
    process.umask(mask);
  }
}

/**
 * Rejects when no process listens there, and when the directory, the socket or the listening process is another user's. Neither
 * end receives a byte before these checks.
 */
export async function connectTo(path: string, listener: Listener): Promise<Connection> {
  if (!isPipe(path)) requireOwnSocket(path);
  let isTrusted = false;
  const socket = await Bun.connect<undefined>({
    unix: path,
    socket: {
      open: (opened) => {
        // The files may have been replaced after they were checked; the connection cannot be.
        isTrusted = isOurs(fileDescriptorOf(opened));
        if (!isTrusted) opened.terminate();
      },
      data: (_, bytes) => {
        if (isTrusted) listener.onData(bytes);
      },
      drain: () => listener.onDrain(),
      close: () => {
        if (isTrusted) listener.onClose();
      },
      error: () => undefined,
    },
  });
  if (!isTrusted) throw new NotOurs(path, "is answered by a program of another user");
  return asConnection(socket);
}

async function removeStale(path: string): Promise<void> {
  if (!isSocket(path)) return;
  if (await isListening(path)) throw refusal("in-use", `another host is listening at ${path}`);
  removeFile(path);
}

/** The file alone proves nothing: it exists shortly before the host listens, and long after. */
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

// Bun provides it, but its types do not.
const fileDescriptorOf = (socket: object): number => (socket as { fd: number }).fd;

function asConnection<T>(socket: Bun.Socket<T>): Connection {
  return {
    write: (bytes) => Math.max(0, socket.write(bytes)),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.end(),
  };
}

import { dlopen, ptr } from "bun:ffi";

const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 2 | 0o2000000;
const maxPathBytes = 107;

let library: ReturnType<typeof loadLibrary> | undefined;
const loadLibrary = () =>
  dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  }).symbols;

/** sd_notify: one datagram, for which Bun has no API. */
export function notifySystemd(socket: string, message: string): void {
  library ??= loadLibrary();
  const descriptor = library.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
  if (descriptor < 0) throw new Error("no socket for the service manager");
  try {
    const [address, length] = unixAddress(socket);
    const bytes = new TextEncoder().encode(message);
    const sent = library.sendto(descriptor, ptr(bytes), bytes.length, 0, ptr(address), length);
    if (Number(sent) !== bytes.length) throw new Error(`the service manager does not listen at ${socket}`);
  } finally {
    library.close(descriptor);
  }
}

/** A path, or after `@` an abstract name, which starts with a NUL. */
function unixAddress(socket: string): [address: Uint8Array, length: number] {
  const name = new TextEncoder().encode(socket);
  if (name.length === 0 || name.length > maxPathBytes) throw new Error(`invalid socket path: ${socket}`);
  const address = new Uint8Array(2 + maxPathBytes + 1);
  new DataView(address.buffer).setUint16(0, AF_UNIX, true);
  address.set(name, 2);
  const isAbstract = socket.startsWith("@");
  if (isAbstract) address[2] = 0;
  return [address, 2 + name.length + (isAbstract ? 0 : 1)];
}

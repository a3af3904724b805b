// A proxy on loopback that refuses every request. Programs in a sandbox use it for everything but loopback, so it records
// what they try to reach outside.

export interface OutsideTrap extends Disposable {
  readonly url: string;
  /** First line of each refused request, such as "CONNECT api.example.com:443 HTTP/1.1". */
  readonly attempts: readonly string[];
}

export function setOutsideTrap(): OutsideTrap {
  const attempts: string[] = [];
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        attempts.push(bytes.toString("latin1").split("\r\n", 1)[0] ?? "");
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      },
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    attempts,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

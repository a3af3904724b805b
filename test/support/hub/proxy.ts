import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy in front of the server: it counts what clients send, cuts connections and delays them. */
export class HubProxy implements Disposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Before what a client sent reaches the server: its number, from 1 on. The server gets it when this settles. */
  onMessage: (number: number) => void | Promise<void> = () => undefined;
  messages = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: number): Promise<HubProxy> {
    const server = createServer();
    const proxy = new HubProxy(server);
    server.on("connection", (client) => proxy.#join(client, connect(target, "127.0.0.1")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** The same address, through this proxy. */
  through(url: string): string {
    const address = this.#server.address();
    const changed = new URL(url);
    changed.port = String(typeof address === "object" ? address?.port : "");
    return changed.href;
  }

  /** Ends every connection in the middle of whatever it is doing. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #join(client: Socket, server: Socket): void {
    let order = Promise.resolve();
    client.on("data", (bytes) => {
      order = order.then(async () => {
        await this.onMessage(++this.messages);
        if (!server.destroyed) server.write(bytes);
      });
    });
    server.on("data", (bytes) => void (client.destroyed || client.write(bytes)));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  [Symbol.dispose](): void {
    this.cut();
    this.#server.close();
  }
}

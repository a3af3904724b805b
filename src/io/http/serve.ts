/** One WebSocket of a client. */
export interface WebSocketLink {
  /** Sends a message. Returns false when the client is behind: wait for `onDrain`. */
  send(message: string | Uint8Array): boolean;
  close(reason: string): void;
}

/** What the server does with the messages of one WebSocket. */
export interface WebSocketListener {
  onOpen(link: WebSocketLink): void;
  onMessage(message: string | Uint8Array): void;
  onDrain(): void;
  onClose(): void;
}

export interface HttpHandler {
  /** Answers a request, or turns it into a WebSocket by returning what listens to it. */
  handle(request: Request): Promise<Response | WebSocketListener>;
}

export interface HttpServer {
  readonly port: number;
  /** Ends all connections. */
  stop(): Promise<void>;
}

export interface HttpOptions {
  readonly hostname: string;
  /** 0: any free one. */
  readonly port: number;
  readonly maxBodyBytes: number;
}

/** A client that sends nothing is closed after this time; a stream of events has no limit. */
const idleTimeoutSeconds = 30;
/** A WebSocket that does not read this much is behind. */
const maxQueuedBytes = 1024 * 1024;
const maxMessageBytes = 64 * 1024;

/** Listens on one address. Throws when it is in use or does not exist. */
export function serveHttp({ hostname, port, maxBodyBytes }: HttpOptions, handler: HttpHandler): HttpServer {
  const server = Bun.serve<{ listener: WebSocketListener }>({
    hostname,
    port,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: maxBodyBytes,
    async fetch(request, own) {
      const answer = await handler.handle(request);
      if (!(answer instanceof Response)) {
        return own.upgrade(request, { data: { listener: answer } }) ? undefined : new Response(null, { status: 426 });
      }
      if (answer.headers.get("content-type") === "text/event-stream") own.timeout(request, 0);
      return answer;
    },
    websocket: {
      maxPayloadLength: maxMessageBytes,
      backpressureLimit: 16 * maxQueuedBytes,
      open: (socket) =>
        socket.data.listener.onOpen({
          send: (message) => {
            socket.send(message);
            return socket.getBufferedAmount() < maxQueuedBytes;
          },
          close: (reason) => socket.close(1000, reason),
        }),
      message: (socket, message) => socket.data.listener.onMessage(message),
      drain: (socket) => socket.data.listener.onDrain(),
      close: (socket) => socket.data.listener.onClose(),
    },
    error: () => new Response(null, { status: 500 }),
  });
  return { port: server.port ?? port, stop: () => server.stop(true) };
}

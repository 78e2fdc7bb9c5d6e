import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay between a client and the server at `url` that can be slow, or fail silently like a broken network. */
export interface TcpRelay {
  readonly url: string;
  /** From now on no data arrives on either side, and the connections stay open. */
  goSilent(): void;
  /** The same from the moment on at which either side sends this text, which does not arrive. */
  goSilentAt(text: string): void;
  /** On connections that are open now, what the server sends does not arrive; it still gets what the client sends. */
  loseAnswers(): void;
  close(): Promise<void>;
}

/** Bytes take `delayMs` in each direction. */
export async function startTcpRelay(serverUrl: string, delayMs = 0): Promise<TcpRelay> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let silent = false;
  let silentAt: string | undefined;
  const deaf = new WeakSet<Socket>();
  const clients = new Set<Socket>();
  const deliver = (bytes: Buffer, to: Socket) => {
    if (silentAt !== undefined && bytes.includes(silentAt)) silent = true;
    if (!silent && !deaf.has(to) && !to.destroyed) to.write(bytes);
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      keep(from);
      from.on('data', (bytes: Buffer) => {
        if (delayMs === 0) deliver(bytes, to);
        else setTimeout(deliver, delayMs, bytes, to);
      });
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    goSilent: () => {
      silent = true;
    },
    goSilentAt: (text) => {
      silentAt = text;
    },
    loseAnswers: () => clients.forEach((client) => deaf.add(client)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

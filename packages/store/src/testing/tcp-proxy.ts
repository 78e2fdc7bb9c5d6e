import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A proxy between a client and its server that simulates broken cables and hung servers, unnoticed by either end. */
interface TcpProxy {
  port: number;
  /** Existing connections stay open but carry no more data; new ones work. */
  swallow(): void;
  /** All connections, including new ones, stay silent until `thaw()`. */
  freeze(): void;
  thaw(): void;
  end(): void;
}

export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  const held: (() => void)[] = [];
  let frozen = false;

  const carry = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('error', () => {}).on('close', () => sockets.delete(from));
    const pass = (action: () => void) => {
      if (dead.has(from)) return;
      if (frozen) held.push(action);
      else action();
    };
    from.on('data', (chunk) => pass(() => to.write(chunk))).on('end', () => pass(() => to.end()));
  };

  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    carry(client, upstream);
    carry(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    port: address.port,
    swallow: () => sockets.forEach((socket) => dead.add(socket)),
    freeze: () => void (frozen = true),
    thaw() {
      frozen = false;
      for (const action of held.splice(0)) action();
    },
    end() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

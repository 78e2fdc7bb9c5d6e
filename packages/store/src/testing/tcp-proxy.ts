import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** Stands between a client and its server, to lose what a cable can lose without either end being told. */
export interface TcpProxy {
  port: number;
  /** Connections that exist now carry nothing any more but stay open; new ones work. */
  swallow(): void;
  end(): void;
}

export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    swallow() {
      for (const socket of sockets) socket.unpipe().removeAllListeners('end').resume();
    },
    end() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

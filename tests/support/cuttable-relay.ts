import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a relay does: passes bytes on, refuses and closes connections, or keeps them and passes nothing on. */
export type LinkState = 'open' | 'closed' | 'silent';

/** A relay to a port of this machine. It connects to it only for its own clients, so the server may start later. */
export interface CuttableRelay {
  readonly port: number;
  /** `closed` ends all connections; with `silent` both ends keep theirs and receive nothing, until it is `open` again. */
  set(state: LinkState): void;
  close(): Promise<void>;
}

export async function startCuttableRelay(target: number, state: LinkState = 'open'): Promise<CuttableRelay> {
  const sockets = new Set<Socket>();
  const keep = (from: Socket, to: Socket): void => {
    sockets.add(from);
    if (state === 'silent') from.pause();
    from.on('data', (bytes: Buffer) => to.write(bytes));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    if (state === 'closed') return near.destroy();
    const far = connect(target, '127.0.0.1');
    keep(near, far);
    keep(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      for (const socket of sockets) {
        if (state === 'closed') socket.destroy();
        else if (state === 'silent') socket.pause();
        else socket.resume();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

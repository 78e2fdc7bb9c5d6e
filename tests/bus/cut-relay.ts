import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The commands of NATS that carry a message: from the client, and to it. */
const commands = { up: 'PUB tp.', down: 'MSG tp.' } as const;

export interface Cut {
  direction: keyof typeof commands;
  /** How many messages arrive before it, from `arm` on. */
  after: number;
}

interface CutRelay {
  url: string;
  /** Begins to count messages. */
  arm(): void;
  /** When the connection was cut; `undefined` while it has fewer messages. */
  cutAt(): number | undefined;
  close(): Promise<void>;
}

/** A relay to a NATS server that breaks one connection in front of a message, which is lost. Later connections work. */
export async function startCutRelay(serverUrl: string, { direction, after }: Cut): Promise<CutRelay> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let left = Infinity;
  let cutAt: number | undefined;

  /** The bytes in front of the message that is lost. */
  function uncut(bytes: Buffer): Buffer {
    for (let at = bytes.indexOf(commands[direction]); at >= 0; at = bytes.indexOf(commands[direction], at + 1)) {
      if (left-- > 0) continue;
      cutAt = performance.now();
      return bytes.subarray(0, at);
    }
    return bytes;
  }

  function pass(from: Socket, to: Socket, isWatched: boolean): void {
    sockets.add(from);
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on('data', (bytes: Buffer) => {
      if (from.destroyed || to.destroyed) return;
      if (!isWatched || cutAt !== undefined) return void to.write(bytes);
      const whole = uncut(bytes);
      if (whole.length === bytes.length) return void to.write(bytes);
      to.end(whole);
      from.destroy();
    });
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    pass(client, upstream, direction === 'up');
    pass(upstream, client, direction === 'down');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    arm: () => void (left = after),
    cutAt: () => cutAt,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

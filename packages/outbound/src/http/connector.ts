import { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { interimFilter } from './interim-answers.ts';
import { measureRoundTrip, type RoundTrip } from './round-trip.ts';

export type Connector = buildConnector.connector;

type ConnectorOptions = buildConnector.BuildOptions & {
  /** Where the round trips of new connections are recorded. */
  roundTrip?: RoundTrip;
};

/** Idle connections are probed by the system, so that no firewall forgets them and dead ones are found. */
const probeIdleMs = 15_000;

/**
 * Connects sockets that drop interim answers (`100 Continue`): undici fails on one that it did not request. Of two
 * families of addresses, the one that connects is used.
 */
export function createConnector({ roundTrip, ...options }: ConnectorOptions): Connector {
  const connect = buildConnector({ keepAliveInitialDelay: probeIdleMs, ...options });
  return (target, callback) => {
    const socket: unknown = connect(target, (...result) => {
      if (result[0] === null) dropInterim(result[1]);
      callback(...result);
    });
    if (roundTrip !== undefined && socket instanceof Socket) {
      measureRoundTrip(socket, roundTrip, { isSecure: target.protocol === 'https:' });
    }
  };
}

/** Passes what the parser reads from the socket through the filter, which checks only the beginning of each answer. */
function dropInterim(socket: Socket): void {
  const filter = interimFilter();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  Object.assign(socket, {
    read(size?: number): Buffer | null {
      const bytes: Buffer | null = read(size);
      return bytes === null ? null : filter.filter(bytes);
    },
    write(...parts: Parameters<Socket['write']>): boolean {
      filter.requestWritten();
      return write(...parts);
    },
  });
}

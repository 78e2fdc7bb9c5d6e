import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { interimFilter } from './interim-answers.ts';

/** Connects sockets that drop interim answers (`100 Continue`): undici fails on one that it did not request. */
export function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      if (result[0] === null) dropInterim(result[1]);
      callback(...result);
    });
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

import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A storage that is `away` closes each connection, and one that is `full` takes no content. */
export type StorageState = 'open' | 'away' | 'full';

interface StorageProxy {
  url: string;
  set(state: StorageState): void;
  close(): Promise<void>;
}

/** Passes requests on to a storage of S3's protocol. */
export async function startStorageProxy(target: string): Promise<StorageProxy> {
  let state: StorageState = 'open';
  const server = createServer((request, response) => {
    if (state === 'away') return request.socket.destroy();
    if (state === 'full' && (request.method === 'PUT' || request.method === 'POST')) {
      request.resume().once('end', () => response.writeHead(507).end(noRoom));
      return undefined;
    }
    const { method, url, headers } = request;
    const onward = httpRequest(target + (url ?? ''), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response).catch(() => response.destroy());
    }).on('error', () => response.destroy());
    pipeline(request, onward).catch(() => response.destroy());
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next) => void (state = next),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const noRoom = '<Error><Code>XMinioStorageFull</Code><Message>No space is left.</Message></Error>';

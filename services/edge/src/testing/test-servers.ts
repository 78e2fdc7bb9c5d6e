import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';

/** Starts the server on a free port and returns its address. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeNow(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Opens a response stream for the caller to read. */
export async function openStream(url: string): Promise<IncomingMessage> {
  const outgoing = get(url, { headers: { accept: 'text/event-stream' } });
  outgoing.on('error', () => undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** A service that writes as fast as it can, and a check that a client that does not read pauses it. */
export function pouring(): { behave: RequestListener; isPaused(): Promise<void> } {
  let written = 0;
  const chunk = Buffer.alloc(64 * 1024, 1);
  const total = 200 * 1024 * 1024;
  return {
    behave(request, response) {
      // A slow service is checked in this way. Writes of a response without a body are never refused.
      if (request.method === 'HEAD') return void response.end();
      const fill = (): void => {
        while (written < total) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', fill);
        }
        response.end();
      };
      fill();
    },
    async isPaused() {
      let before = -1;
      await expect.poll(() => before === (before = written), { interval: 100 }).toBe(true);
      expect(written).toBeLessThan(total / 4);
    },
  };
}
